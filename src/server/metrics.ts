import type { Metric } from '../engine/index.ts'

/** The counters that all listeners share: requests, and answers that violated the contract. */
export class HttpMetrics {
  private readonly requests = new Map<string, number>()
  private readonly violations = new Map<string, number>()

  /** A request for a path that is served. */
  count(path: string): void {
    this.requests.set(path, (this.requests.get(path) ?? 0) + 1)
  }

  /** An answer that broke the contract and was not served. */
  violation(path: string): void {
    this.violations.set(path, (this.violations.get(path) ?? 0) + 1)
  }

  metrics(): Metric[] {
    const samples = byHandler(this.requests)
    const broken = byHandler(this.violations)
    return [
      counter('nodeos_http_requests_total', 'HTTP requests', samples),
      counter('pronghorn_contract_violations_total', 'answers that broke the contract', broken),
    ]
  }
}

function byHandler(counts: ReadonlyMap<string, number>): Metric['samples'] {
  return [...counts].map(([handler, value]) => ({ labels: { handler }, value }))
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples }
}
