import type { Metric } from '../engine/index.ts'

/** The requests for one path. */
export interface RequestCounter {
  count: number
}

/** The counters that all listeners share: requests, and answers that violated the contract. */
export class HttpMetrics {
  private readonly requests = new Map<string, RequestCounter>()
  private readonly violations = new Map<string, number>()
  private readonly others: { entries(): [path: string, count: number][] }[] = []

  /** A request for a path that is served. */
  count(path: string): void {
    this.counter(path).count++
  }

  /** The counter of a path that is served. */
  counter(path: string): RequestCounter {
    let counter = this.requests.get(path)
    if (!counter) this.requests.set(path, (counter = { count: 0 }))
    return counter
  }

  /** An answer that broke the contract and was not served. */
  violation(path: string): void {
    this.violations.set(path, (this.violations.get(path) ?? 0) + 1)
  }

  /** Includes requests that are counted elsewhere. */
  include(counts: { entries(): [path: string, count: number][] }): void {
    this.others.push(counts)
  }

  /** Requests and violations of the contract since the start, by path. Paths without any are left out. */
  metrics(): Metric[] {
    const totals = new Map([...this.requests].map(([path, { count }]) => [path, count]))
    for (const counts of this.others) {
      for (const [path, count] of counts.entries()) {
        totals.set(path, (totals.get(path) ?? 0) + count)
      }
    }
    const samples = byHandler([...totals].filter(([, count]) => count > 0))
    const broken = byHandler(this.violations)
    return [
      counter('nodeos_http_requests_total', 'HTTP requests', samples),
      counter('pronghorn_contract_violations_total', 'answers that broke the contract', broken),
    ]
  }
}

function byHandler(counts: Iterable<[string, number]>): Metric['samples'] {
  return [...counts].map(([handler, value]) => ({ labels: { handler }, value }))
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples }
}
