import type { ApiContext } from './api/api_context.ts'
import { ChainApi } from './api/chain.ts'
import { DevApi } from './api/dev.ts'
import { NetApi } from './api/net.ts'
import { NodeApi } from './api/node.ts'
import { ProducerApi } from './api/producer.ts'
import { TraceApi } from './api/trace.ts'
import { Chain } from './chain/chain.ts'
import { chainFromOptions } from './chain_from_options.ts'
import { ChainEvents } from './chain/chain_events.ts'
import type { TransactionTrace } from './chain/base/trace.ts'
import { BlockKeyThreads } from './crypto/block_key_threads.ts'
import { DigestThread } from './crypto/digest_thread.ts'
import { native_failure } from './crypto/secp256k1.ts'
import type { EngineDependencies, EngineOptions } from './engine_options.ts'
import { DevelopmentClock } from './services/production/development_clock.ts'
import { startOnSavanna } from './services/production/development/start_on_savanna.ts'
import { toHex } from './protocol/hex.ts'
import { nameToString } from './protocol/name.ts'
import { readAccess, type ReadAccess } from './read_access.ts'
import { ServiceHost } from './services/host.ts'
import { SERVICES, type Services } from './services/list.ts'
import type { Metric } from './services/metric.ts'
import type { Page } from './services/service.ts'
import { MemoryStore } from './store/memory_store.ts'
import { RocksStore } from './store/rocks_store.ts'
import { PreparerThread } from './vm/preparation/preparer_thread.ts'
import { warmUpChecks } from './vm/warm_up.ts'
import { BackgroundSteps } from './warm_up/background_steps.ts'
import { chainSteps } from './warm_up/chain_steps.ts'
import { submissionSteps } from './warm_up/submission_steps.ts'

/** Between two steps of warming up the checks of codes. */
const WARM_UP_PAUSE_MS = 3
/** The execution of transactions warms up when the first answer was given, and before the first user has signed one. */
const CHAIN_DELAY_MS = 30
/** The submission of many transactions warms up when the node has little to do: it takes more than the start. */
const SUBMISSIONS_DELAY_MS = 4000
/** Between two submissions, each of which takes a fraction of a millisecond: requests hardly notice them. */
const SUBMISSIONS_PAUSE_MS = 3
/** Threads start this long after the start: the first answers need the processors more. */
const THREADS_DELAY_MS = 500
/** This thread warms up when the others did: it checks only codes that contracts set, or received blocks. */
const WARM_UP_DELAY_MS = 2500

/** The execution of transactions is warmed up once, whatever number of engines this thread runs. */
let is_warm = false

type Host = ServiceHost<typeof SERVICES>

/** What is served by HTTP: an engine, or a chain in the process of a test, which has fewer groups of operations. */
export type ServedEngine = Pick<Engine, 'api' | 'pages' | 'addMetrics'> & {
  readonly chain: Pick<Chain, 'version'>
  /** Absent: other threads cannot read the state. */
  readonly reads?: ReadAccess
  /** There while the chain is replaced by another one: resolves when that is done. */
  readonly replacing?: Promise<void> | undefined
}

/** A running chain with its producer. */
export class Engine {
  readonly chain: Chain
  /** The running services by name. */
  readonly services: Services
  /** One method for each operation, by the groups of the contract. */
  readonly api: {
    chain: ChainApi
    producer: ProducerApi
    trace: TraceApi
    net: NetApi
    dev: DevApi
    node: NodeApi
  }
  readonly reads: ReadAccess
  private readonly host: Host
  private readonly options: EngineOptions
  private readonly deps: EngineDependencies
  /** Absent without a data folder: then codes are prepared when they run. */
  private readonly preparer: PreparerThread | undefined
  private threads_start: NodeJS.Timeout | undefined
  private readonly chain_steps: BackgroundSteps
  private readonly submission_steps: BackgroundSteps
  private readonly check_steps: BackgroundSteps

  private constructor(
    chain: Chain,
    host: Host,
    preparer: PreparerThread | undefined,
    options: EngineOptions,
    deps: EngineDependencies,
  ) {
    this.chain = chain
    this.host = host
    this.services = host.running
    this.preparer = preparer
    this.options = options
    this.deps = deps
    const isBusy = (): boolean =>
      this.services.net.network.sync.catching_up || this.services.production.loop.is_mining
    this.chain_steps = new BackgroundSteps(deps.log, isBusy)
    this.submission_steps = new BackgroundSteps(deps.log, isBusy)
    this.check_steps = new BackgroundSteps(deps.log, isBusy)
    const context: ApiContext = { chain, services: this.services, options, deps }
    this.api = {
      chain: new ChainApi(context),
      producer: new ProducerApi(context),
      trace: new TraceApi(context),
      net: new NetApi(context),
      dev: new DevApi(context),
      node: new NodeApi(context),
    }
    this.reads = readAccess(context, this.api.chain)
    this.follow(chain.events)
  }

  /**
   * Opens the data folder, or a new chain, and replays blocks if requested. Nothing is produced
   * yet.
   * @throws ChainError if the folder or the log cannot be used
   */
  static async open(options: EngineOptions, given: EngineDependencies): Promise<Engine> {
    const is_controlled = options.services.dev.refusal === undefined
    const deps = is_controlled ? { ...given, clock: new DevelopmentClock(given.clock) } : given
    if (native_failure) {
      deps.log(
        'warn',
        `K1 signatures are recovered in JavaScript, slowly: ${native_failure.message}`,
      )
    }
    const folder = options.data_dir
    const store =
      folder === undefined ? new MemoryStore() : await RocksStore.open(options.state_dir)
    const { code_cache_dir } = options
    const preparer =
      folder === undefined || code_cache_dir === undefined
        ? undefined
        : new PreparerThread({ folder: code_cache_dir, log: deps.log })
    const recovery = new BlockKeyThreads(options.services.production.recovery_threads)
    const digest_thread = new DigestThread()
    // Where signatures are checked, all processors have work.
    if (options.replay !== undefined) {
      if (options.validation.force_all_checks) recovery.start()
      else digest_thread.start()
    }
    let chain: Chain | undefined
    let host: Host | undefined
    try {
      const events = new ChainEvents(deps.log)
      const { clock, log } = deps
      host = await ServiceHost.create(SERVICES, options.services, {
        events,
        clock,
        log,
        in_memory: folder === undefined,
      })
      chain = await chainFromOptions(options, deps, {
        store,
        recovery,
        digest_thread,
        events,
        ...(preparer ? { preparer } : {}),
      })
      if (chain.is_fork) warnOfFork(chain, deps.log)
      if (options.savanna_from_start) {
        const { signing_keys } = options.services.production
        startOnSavanna(chain, { ...options, signing_keys }, deps)
      }
      await host.open({ chain, rules: options.rules, version: options.version })
      return new Engine(chain, host, preparer, options, deps)
    } catch (error) {
      await host?.stop()
      // An open chain closes the store when what it queued is written.
      await (chain ?? store).close()
      await preparer?.close()
      throw error
    } finally {
      await recovery.close()
      await digest_thread.close()
    }
  }

  /** Begins to produce and to take transactions, unless the head is where the engine shall end. */
  start(): void {
    const { terminate_at_block } = this.options
    const reached = terminate_at_block > 0 && this.chain.head.block_num >= terminate_at_block
    if (reached) return this.deps.end('done')
    this.host.start()
    const { warm_up } = this.options
    if (warm_up) this.warmUp()
    this.threads_start = setTimeout(() => {
      this.services.production.startThreads()
      const { preparer } = this
      if (preparer === undefined || !warm_up) return
      // Its start needs nothing of this thread, and the first code finds it ready.
      preparer.warmUp()
      this.check_steps.run(warmUpChecks(), WARM_UP_DELAY_MS, WARM_UP_PAUSE_MS)
    }, THREADS_DELAY_MS).unref()
  }

  private warmUp(): void {
    if (is_warm) return
    is_warm = true
    const { clock } = this.deps
    this.chain_steps.run(chainSteps(clock), CHAIN_DELAY_MS)
    this.submission_steps.run(submissionSteps(clock), SUBMISSIONS_DELAY_MS, SUBMISSIONS_PAUSE_MS)
  }

  /** Ends the waits of requests that blocks would answer: there will be none. */
  endWaits(): Promise<void> {
    return this.host.endWaits()
  }

  /** Stops producing, writes everything out and releases the folder. */
  async close(): Promise<void> {
    clearTimeout(this.threads_start)
    this.chain_steps.stop()
    this.submission_steps.stop()
    this.check_steps.stop()
    await this.endWaits()
    await this.host.stop()
    await this.chain.close()
    await this.preparer?.close()
  }

  /** Answers of services that are not JSON, by path. */
  get pages(): ReadonlyMap<string, Page> {
    return this.host.pages
  }

  /** Adds what another part of the node counts to the metrics. */
  addMetrics(source: () => readonly Metric[]): void {
    this.host.addMetrics(source)
  }

  private follow(events: ChainEvents): void {
    const { deps, options } = this
    if (options.print_console) {
      events.on('transactionApplied', ({ trace }) => printConsole(trace, deps.log))
    }
    if (options.terminate_at_block) {
      events.on('blockAccepted', ({ block_num }) => {
        if (block_num >= options.terminate_at_block) deps.end('done')
      })
    }
  }
}

function warnOfFork({ chain_id, head }: Chain, log: EngineDependencies['log']): void {
  log(
    'warn',
    `THIS IS A FORK of chain ${toHex(chain_id)}: the blocks after block ${head.block_num} exist only on ` +
      'this node, and not on the public chain',
  )
}

function printConsole(trace: TransactionTrace, log: EngineDependencies['log']): void {
  for (const { receiver, act, console } of trace.action_traces) {
    if (console === '') continue
    const text = Buffer.from(console, 'latin1').toString('utf8')
    log(
      'info',
      `[(${nameToString(act.account)},${nameToString(act.name)})->${nameToString(receiver)}]: ${text}`,
    )
  }
}
