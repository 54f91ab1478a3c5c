import type { Chain } from '../../chain/chain.ts'
import { serverVersion, type ServerVersion } from '../../queries/chain_info.ts'
import { counter, type Metric } from '../metric.ts'
import type { Page, Service } from '../service.ts'
import { chainMetrics } from './chain_metrics.ts'
import { metricsText } from './metrics_text.ts'

/** The default path of Prometheus, as in the reference. */
const PATH = '/v1/prometheus/metrics'

/** Makes the text of all metrics, and counts requests and bytes. */
export class MetricsService implements Service {
  readonly pages: Readonly<Record<string, Page>>
  private readonly chain: Chain
  private readonly version: ServerVersion
  private scrapes = 0
  private scraped_bytes = 0

  /** @param allMetrics those of every service, this one too */
  constructor(chain: Chain, version: string, allMetrics: () => readonly Metric[]) {
    this.chain = chain
    this.version = serverVersion(version)
    const text = (): string => this.text(allMetrics())
    const content_type = 'text/plain; version=0.0.4'
    this.pages = { [PATH]: { category: 'prometheus', content_type, text } }
  }

  metrics(): Metric[] {
    return chainMetrics(this.chain, this.version)
  }

  /** The text of everything; what it says of these texts is of those before. */
  private text(metrics: readonly Metric[]): string {
    const text = metricsText([
      ...metrics,
      counter('exposer_transferred_bytes_total', 'bytes of these texts', this.scraped_bytes),
      counter('exposer_scrapes_total', 'requests for this text', this.scrapes),
    ])
    this.scrapes += 1
    this.scraped_bytes += Buffer.byteLength(text)
    return text
  }
}
