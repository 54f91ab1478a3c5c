/**
 * A service is a part of the node beside the chain, such as production, transaction status or
 * snapshots. Its definition contains everything that the node needs: options and their settings,
 * plugins, categories of the API, start and stop. The node is made from the list of definitions
 * (list.ts).
 */
import type { Chain } from '../chain/chain.ts'
import type { ChainEvents } from '../chain/chain_events.ts'
import type { MutableRules } from '../chain/execution/subjective_rules.ts'
import type { Clock } from '../clock.ts'
import type { PrivateKey } from '../crypto/private_key.ts'
import type { Log } from '../log.ts'
import type { OptionReader } from '../options/option_reader.ts'
import type { OptionRow } from '../options/row.ts'
import type { Metric } from './metric.ts'

/** A part of the API that can have an address of its own. */
export interface CategoryDefinition {
  readonly name: string
  /** Each address serves it, so it has no address of its own. */
  readonly everywhere?: boolean
  /**
   * Its operations change the node or its disk. Without `plugin` lines they are served only on
   * loopback addresses, and pages of other sites may not use them.
   */
  readonly control?: boolean
  /** It is served only on loopback addresses. */
  readonly local?: boolean
}

/** A plugin of the reference. Several services may be parts of one plugin. */
export interface PluginDefinition {
  /** The reference's name without `_plugin`. */
  readonly name: string
  /** Plugins that are on where this one is. spring: APPBASE_PLUGIN_REQUIRES */
  readonly needs: readonly string[]
  /** The categories that the plugin serves by HTTP. */
  readonly categories?: readonly CategoryDefinition[]
}

/** Data on which settings may depend in addition to the options of the service. */
export interface NodeFacts {
  /** Absolute. */
  readonly data_dir: string
  /** The plugins that the user named, and those that they need; without `_plugin`. */
  readonly plugins: ReadonlySet<string>
  /** A development chain: no producer is named, and nothing belongs to another chain; or a fork. */
  readonly development: boolean
  /** The accounts that this node produces for. */
  readonly producers: readonly bigint[]
  /** Packed public key in hex -> private key. */
  readonly signing_keys: ReadonlyMap<string, PrivateKey>
}

/** An answer that is not JSON, and so no operation of the contract. */
export interface Page {
  readonly category: string
  readonly content_type: string
  /** Makes the content, for each request. */
  text(): string
}

/** The operations of a running service; all are optional. It follows the chain from its opening. */
export interface Service {
  /** Begins what needs time to pass; all services are open, and requests may come already. */
  start?(): void
  /** Ends the waits of requests that only later blocks could answer: the node stops. */
  endWaits?(): void | Promise<void>
  /** Stops threads and alarms, and writes out stored data; the chain stays open. */
  stop?(): void | Promise<void>
  /** Called when every service has stopped, so the chain no longer changes; it is still open. */
  stopped?(): void | Promise<void>
  /** The metrics of the service. */
  metrics?(): readonly Metric[]
  /** Pages by their path, such as `/v1/prometheus/metrics`. */
  readonly pages?: Readonly<Record<string, Page>>
}

/** A running service: whatever it offers to other services and to the API, and what the node does with it. */
export type RunningService = Service & object

/** The context of a service before the chain is opened. */
export interface EarlyContext<Settings> {
  readonly settings: Settings
  /** Subscribed before the chain is opened, a service follows also the blocks that are replayed. */
  readonly events: ChainEvents
  readonly clock: Clock
  readonly log: Log
  /** Nothing is stored on disk: there is no data folder. */
  readonly in_memory: boolean
}

/** The arguments of the opening of a service. */
export interface ServiceContext<
  Settings,
  Needs extends readonly AnyService[] = readonly [],
  Early = undefined,
> {
  readonly settings: Settings
  readonly chain: Chain
  /** The rules of this node alone: the chain's, which may be changed between transactions. */
  readonly rules: MutableRules
  /** Nothing is stored on disk: there is no data folder. */
  readonly in_memory: boolean
  readonly clock: Clock
  readonly log: Log
  /** The services that the definition needs, by name. One that is off is undefined. */
  readonly services: RunningServices<Needs>
  /** The result of `early`. */
  readonly early: Early
  /** Metrics of all services and of those who added theirs. */
  readonly allMetrics: () => readonly Metric[]
  /** Version of this program, without a leading v. */
  readonly version: string
}

/** The definition of a service; see docs/extending.md. */
export interface ServiceDefinition<
  Name extends string,
  Settings,
  Running extends RunningService | undefined,
  Needs extends readonly AnyService[],
  Early,
> {
  /** The name of the folder. */
  readonly name: Name
  /** The plugins of the reference whose work the service does, or does a part of. */
  readonly plugins: readonly PluginDefinition[]
  readonly options: readonly OptionRow[]
  /** The settings that follow from the options. @throws OptionError for values that do not go together */
  settings(values: OptionReader, node: NodeFacts): Settings
  /** Operations of the contract that it answers. */
  readonly operations: readonly string[]
  /** Services that it uses; they come before it in the list. */
  readonly needs: Needs
  /** Called before anything on the disk is used: refuses the start, as for an address in use. */
  check?(settings: Settings): Promise<void>
  /** Called before the chain is opened, where a service must follow a replay or may refuse the start. */
  early?(context: EarlyContext<Settings>): Promise<Early>
  /** Opens the service; undefined where its settings turn it off. */
  open(context: ServiceContext<Settings, Needs, Early>): Promise<Running>
}

/** Any definition, where its types do not matter. */
export interface AnyService {
  readonly name: string
  readonly plugins: readonly PluginDefinition[]
  readonly options: readonly OptionRow[]
  readonly operations: readonly string[]
  readonly needs: readonly AnyService[]
  settings(values: OptionReader, node: NodeFacts): unknown
  check?(settings: never): Promise<void>
  early?(context: never): Promise<unknown>
  open(context: never): Promise<RunningService | undefined>
}

/** Settings of the services of a list, by name. */
export type SettingsOf<List extends readonly AnyService[]> = {
  [D in List[number] as D['name']]: ReturnType<D['settings']>
}

/** The running services of a list, by name; undefined for those that may be off. */
export type RunningServices<List extends readonly AnyService[]> = {
  readonly [D in List[number] as D['name']]: Awaited<ReturnType<D['open']>>
}

/** Infers the types of a definition. */
export function defineService<
  const Name extends string,
  Settings,
  const Needs extends readonly AnyService[],
  Running extends RunningService | undefined,
  Early = undefined,
>(
  definition: ServiceDefinition<Name, Settings, Running, Needs, Early>,
): ServiceDefinition<Name, Settings, Running, Needs, Early> {
  return definition
}
