import type { Metric } from '../metric.ts'

/** Metrics in the text form that Prometheus reads. */
export function metricsText(metrics: readonly Metric[]): string {
  return metrics.map(lines).join('')
}

function lines({ name, help, type, samples }: Metric): string {
  const head = `# HELP ${name} ${escape(help)}\n# TYPE ${name} ${type}\n`
  return (
    head + samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}\n`).join('')
  )
}

function labelText(labels: Metric['samples'][number]['labels']): string {
  if (!labels) return ''
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escape(value).replaceAll('"', '\\"')}"`,
  )
  return `{${pairs.join(',')}}`
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}
