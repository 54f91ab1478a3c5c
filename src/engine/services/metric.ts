/** A number, or one number for each value of a label. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge'
  samples: { labels?: Readonly<Record<string, string>>; value: number }[]
}

/** A metric of type counter with one sample. */
export function counter(name: string, help: string, value: number): Metric {
  return counters(name, help, [{ value }])
}

/** A metric of type gauge with one sample. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] }
}

/** A metric of type counter with a sample for each set of labels. */
export function counters(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples }
}
