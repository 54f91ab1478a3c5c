import type { Chain } from '../chain/chain.ts'
import type { ChainEvents } from '../chain/chain_events.ts'
import type { MutableRules } from '../chain/execution/subjective_rules.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metric } from './metric.ts'
import type { AnyService, Page, RunningServices, Service, SettingsOf } from './service.ts'

/** The context of services before the chain is opened. */
export interface EarlyDependencies {
  events: ChainEvents
  clock: Clock
  log: Log
  /** Nothing is stored on disk. */
  in_memory: boolean
}

/** The additional context of services when the chain is open. */
export interface HostDependencies {
  chain: Chain
  rules: MutableRules
  /** Version of this program, without a leading v. */
  version: string
}

/**
 * The services of a node: opened and started in the order of their list, ended in the reverse order.
 * A service of the list finds those before it; when one cannot be opened, those that are open are stopped.
 */
export class ServiceHost<const List extends readonly AnyService[]> {
  private readonly list: List
  private readonly settings: SettingsOf<List>
  private readonly deps: EarlyDependencies
  private readonly early = new Map<string, unknown>()
  /** In the order of the list. */
  private readonly open_services = new Map<string, Service>()
  private readonly metric_sources: (() => readonly Metric[])[] = []

  private constructor(list: List, settings: SettingsOf<List>, deps: EarlyDependencies) {
    this.list = list
    this.settings = settings
    this.deps = deps
  }

  /** Prepares the services that follow a chain from before it is opened. */
  static async create<const List extends readonly AnyService[]>(
    list: List,
    settings: SettingsOf<List>,
    deps: EarlyDependencies,
  ): Promise<ServiceHost<List>> {
    const host = new ServiceHost(list, settings, deps)
    for (const { name, early } of list) {
      if (!early) continue
      const context = { ...deps, settings: host.settingsOf(name) }
      host.early.set(name, await early(context as never))
    }
    return host
  }

  /** Opens every service, in the order of the list.
   *  @throws what the first one that cannot be opened throws; the others are stopped then */
  async open(deps: HostDependencies): Promise<void> {
    try {
      for (const definition of this.list) await this.openOne(definition, deps)
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** The services by name; undefined for those that are off. */
  get running(): RunningServices<List> {
    return Object.fromEntries(this.open_services) as unknown as RunningServices<List>
  }

  /** Starts the services in the order in which they were opened. */
  start(): void {
    for (const service of this.open_services.values()) service.start?.()
  }

  /** Ends the waits of requests that later blocks would answer. */
  async endWaits(): Promise<void> {
    await Promise.all(this.last_first.map((service) => service.endWaits?.()))
  }

  /** Stops the services one after the other, the last one of the list first. */
  async stop(): Promise<void> {
    for (const service of this.last_first) await service.stop?.()
    for (const service of this.last_first) await service.stopped?.()
  }

  /** The metrics of all services, and additional ones. */
  metrics(): readonly Metric[] {
    const services = [...this.open_services.values()]
    const added = this.metric_sources.flatMap((source) => source())
    return [...services.flatMap((service) => service.metrics?.() ?? []), ...added]
  }

  /** Adds what a part of the node counts that is not a service. */
  addMetrics(source: () => readonly Metric[]): void {
    this.metric_sources.push(source)
  }

  /** The pages of all services by path. */
  get pages(): ReadonlyMap<string, Page> {
    const services = [...this.open_services.values()]
    return new Map(services.flatMap(({ pages }) => Object.entries(pages ?? {})))
  }

  private async openOne(definition: AnyService, deps: HostDependencies): Promise<void> {
    const { name, needs } = definition
    const found = needs.map((other) => [other.name, this.open_services.get(other.name)])
    const context = {
      ...this.deps,
      ...deps,
      settings: this.settingsOf(name),
      early: this.early.get(name),
      services: Object.fromEntries(found),
      allMetrics: () => this.metrics(),
    }
    // The list's type says that these are the settings and the services of this definition.
    const service = await definition.open(context as never)
    if (service) this.open_services.set(name, service)
  }

  private settingsOf(name: string): unknown {
    return this.settings[name as keyof SettingsOf<List>]
  }

  private get last_first(): Service[] {
    return [...this.open_services.values()].reverse()
  }
}
