/**
 * `/v1/prometheus/metrics`: what the engine and the server count, in the text form that Prometheus
 * reads. It is the one answer that is no JSON, so it is not an operation of the contract.
 */
import type { Context, Next } from 'koa'
import type { Engine } from '../engine/index.ts'
import { notFound } from './error_response.ts'
import type { Category } from './server_options.ts'

export const METRICS_PATH = '/v1/prometheus/metrics'

type Metric = ReturnType<Engine['getMetrics']>[number]

/** What all listeners count together. */
export class HttpMetrics {
  private readonly requests = new Map<string, number>()
  private readonly violations = new Map<string, number>()
  private scrapes = 0
  private scraped_bytes = 0

  /** A request for a path that is served. */
  count(path: string): void {
    this.requests.set(path, (this.requests.get(path) ?? 0) + 1)
  }

  /** An answer that broke the contract and was not served. */
  violation(path: string): void {
    this.violations.set(path, (this.violations.get(path) ?? 0) + 1)
  }

  /** Counts the whole text; the counters of texts do not include this one. */
  text(metrics: readonly Metric[]): string {
    const samples = byHandler(this.requests)
    const broken = byHandler(this.violations)
    const text = metricsText([
      ...metrics,
      counter('nodeos_http_requests_total', 'HTTP requests', samples),
      counter('pronghorn_contract_violations_total', 'answers that broke the contract', broken),
      counter('exposer_transferred_bytes_total', 'bytes of these texts', [
        { value: this.scraped_bytes },
      ]),
      counter('exposer_scrapes_total', 'requests for this text', [{ value: this.scrapes }]),
    ])
    this.scrapes += 1
    this.scraped_bytes += Buffer.byteLength(text)
    return text
  }
}

/** Answers requests for metrics on addresses that serve their category. */
export function serveMetrics(
  engine: Engine,
  counted: HttpMetrics,
  categories: ReadonlySet<Category>,
) {
  return (ctx: Context, next: Next): Promise<void> | void => {
    if (ctx.req.url !== METRICS_PATH) return next()
    if (!categories.has('prometheus')) throw notFound()
    counted.count(METRICS_PATH)
    ctx.status = 200
    ctx.set(ctx.state.headers)
    ctx.set('content-type', 'text/plain; version=0.0.4')
    ctx.body = counted.text(engine.getMetrics())
  }
}

/** Metrics in the text format of Prometheus. */
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

function byHandler(counts: ReadonlyMap<string, number>): Metric['samples'] {
  return [...counts].map(([handler, value]) => ({ labels: { handler }, value }))
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples }
}
