/**
 * The façade: the engine with its operations by group (`api/`). Handlers, the node's wiring and in-process
 * users import from here and from nowhere else in the engine.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import type { ApiContext } from './api/api_context.ts'
import { ChainApi } from './api/chain.ts'
import { DevApi } from './api/dev.ts'
import { NetApi } from './api/net.ts'
import { NodeApi } from './api/node.ts'
import { ProducerApi } from './api/producer.ts'
import { TraceApi } from './api/trace.ts'
import { Chain } from './chain/chain.ts'
import { ChainEvents } from './chain/chain_events.ts'
import type { TransactionTrace } from './chain/base/trace.ts'
import { BlockKeyThreads } from './crypto/block_key_threads.ts'
import { native_failure } from './crypto/secp256k1.ts'
import type { EngineDependencies, EngineOptions } from './engine_options.ts'
import { DevelopmentClock } from './services/production/development_clock.ts'
import { unpackSubmission } from './services/production/prepared_submission.ts'
import { startOnSavanna } from './services/production/development/start_on_savanna.ts'
import { replayProgress, reportLoading, shareProgress } from './progress.ts'
import { toHex } from './protocol/hex.ts'
import { nameToString } from './protocol/name.ts'
import { defaultGenesis } from './protocol/genesis.ts'
import { serverVersion } from './queries/chain_info.ts'
import { BLOCK_READS, STATE_READS } from './queries/state_reads.ts'
import type { StateRead } from './queries/state_reads.ts'
import type { StateAccess } from './reading.ts'
import { ServiceHost } from './services/host.ts'
import { SERVICES, type Services } from './services/list.ts'
import type { Metric } from './services/metric.ts'
import type { Page } from './services/service.ts'
import { MemoryStore } from './store/memory_store.ts'
import { RocksStore } from './store/rocks_store.ts'
import { PreparerThread } from './vm/preparation/preparer_thread.ts'
import { WasmRuntime } from './vm/runtime.ts'
import { warmUpChecks } from './vm/warm_up.ts'

export { biosContract } from './services/production/development/bios_contract.ts'
export { blsPublicKeyOf } from './crypto/bls.ts'
export {
  encodeAction,
  packAbiText,
  signTransaction,
  type PlainAction,
  type SignedTransactionJson,
  type SigningChain,
} from './json/signed_transaction.ts'
export { chainId } from './crypto/digests.ts'
export { sha256 } from './crypto/hash.ts'
export { publicKeyOf } from './crypto/keys.ts'
export { privateKeyFromString } from './crypto/private_key.ts'
export type { Answer, Body, Operation } from './contract.ts'
export type { EngineDependencies, EngineOptions } from './engine_options.ts'
export {
  BusyError,
  ChainError,
  ERRORS,
  RequestError,
  limitedMessage,
  type ErrorDetail,
} from './errors.ts'
export { API_CATEGORIES, PLUGINS, categoriesOf } from './services/plugins.ts'
export { checkServices, serviceSettings } from './services/list.ts'
export type { Metric } from './services/metric.ts'
export type { NodeFacts, Page } from './services/service.ts'
export { systemClock, type Clock } from './clock.ts'
export { actionEntry } from './services/production/lists.ts'
export type { MutableRules } from './chain/execution/subjective_rules.ts'
export type { Log, LogFields } from './log.ts'
export { DEFAULT_RUNTIME_OPTIONS } from './services/production/runtime_options.ts'
export { blsPrivateKeyFromString, blsPublicKeyFromString } from './protocol/bls_text.ts'
export { defaultGenesis, genesisFromJson, genesisToJson } from './protocol/genesis.ts'
export { BLOCK_INTERVAL_US } from './protocol/constants.ts'
export { fromBase64, fromHex, toHex } from './protocol/hex.ts'
export { publicKeyFromString, publicKeyToString } from './protocol/key.ts'
export { nameFromString } from './protocol/name.ts'
export { parseTimePoint } from './protocol/time.ts'
export { featureRestrictionsFromJson } from './json/feature_restrictions.ts'
export { defaultRules } from './chain/execution/subjective_rules.ts'
export { eraseBlocks, eraseState } from './store/erase.ts'
export { ListenError, checkAddress, listenOn } from './listening.ts'
export type { Address } from './options/address.ts'
export { isSystemError, makeFolder } from './store/file.ts'
export { snapshotToJson } from './json/snapshot.ts'
export { isForkSnapshot } from './chain/startup/begin_fork.ts'
export { chainIdOfSnapshot } from './snapshot/load_snapshot.ts'
export { writeSnapshot } from './snapshot/write_snapshot.ts'
export { chainIdOfLog, firstBlockOfLog, genesisOfLog } from './store/inspect_block_log.ts'

// For chains in the process of a test (src/in_process).
export { ChainApi } from './api/chain.ts'
export { abiFromJson } from './abi/abi_json.ts'
export { packAbi, unpackAbi } from './abi/abi_binary.ts'
export { returnValueToJson, type AbiResolver } from './abi/action_json.ts'
export { compileAbi, type CompiledAbi } from './abi/compiled_abi.ts'
export { ConversionBudget } from './abi/conversion_budget.ts'
export type { Json } from './abi/json.ts'
export { SYSTEM_ABI_BYTES } from './abi/system_abi.ts'
export { Chain as EngineChain, type Checkpoint, type Savepoint } from './chain/chain.ts'
export {
  createMetadata,
  createUnsignedMetadata,
  metadataSigningDigest,
  recoverMetadataKeys,
} from './chain/base/transaction_metadata.ts'
export type { TransactionKind, TransactionMetadata } from './chain/base/transaction_metadata.ts'
export type { TransactionTrace } from './chain/base/trace.ts'
export type { BlockSigner } from './chain/headers/block_signing.ts'
export { signDigest } from './crypto/keys.ts'
export { transactionTraceJson, type TransactionTraceJson } from './json/trace.ts'
export type { PermissionLevel } from './protocol/authority.ts'
export { DEVELOPMENT_KEY, DEVELOPMENT_FINALIZER } from './protocol/genesis.ts'
export { bytesEqual } from './protocol/hex.ts'
export { nameToString } from './protocol/name.ts'
export { slotToString, slotToUs, usToSlot } from './protocol/time.ts'
export { makePackedTransaction, type PackedTransaction } from './protocol/packed_transaction.ts'
export { refBlockOf, type Action, type Transaction } from './protocol/transaction.ts'
export { STATUS_NAMES } from './protocol/transaction_status.ts'
export { abisOf } from './queries/query.ts'
export { getTableRows } from './queries/table_rows.ts'
export {
  packedTransactionFromRequest,
  transactionFromRequest,
} from './queries/transaction_input.ts'
export { AuthorizerIndex } from './services/account_queries/authorizer_index.ts'
export type { Submitter } from './services/production/submissions.ts'
export { activateAllFeatures } from './services/production/development/boot.ts'
export type { HostContext } from './vm/host_context.ts'
export type { CallNode } from './vm/profile/call_tree.ts'
export { ProfilingRuntime } from './vm/profile/profiling_runtime.ts'
export { WasmRuntime } from './vm/runtime.ts'

/** Between two steps of warming up. */
const WARM_UP_PAUSE_MS = 3
/** Threads start this long after the start: the first answers need the processors more. */
const THREADS_DELAY_MS = 500
/** This thread warms up when the others did: it checks only codes that contracts set, or received blocks. */
const WARM_UP_DELAY_MS = 2500

type Host = ServiceHost<typeof SERVICES>

/** What threads need that answer reads of the state. */
export interface ReadAccess {
  /** Lets another thread read the state; see StateReader. `release` ends that. */
  open(): { access: StateAccess; release: () => void }
  /** The operations that such a thread can answer on this node. */
  operations(): ReadonlySet<StateRead>
  /** Executes a submission that such a thread has prepared.
   *  @throws ChainError */
  submit(prepared: Uint8Array): Promise<unknown>
  /** Something beside the chain has changed on which answers depend: rules of this node, for example. */
  changed(): void
}

/** What is served by HTTP: an engine, or a chain in the process of a test, which has fewer groups of operations. */
export type ServedEngine = Pick<Engine, 'api' | 'pages' | 'addMetrics'> & {
  readonly chain: Pick<Chain, 'version'>
  /** Absent: other threads cannot read the state. */
  readonly reads?: ReadAccess
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
  private warming: NodeJS.Timeout | undefined

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
    if (options.replay !== undefined && options.validation.force_all_checks) recovery.start()
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
      const blocks_dir = folder === undefined ? undefined : options.blocks_dir
      const fresh = !store.head && !(blocks_dir && existsSync(join(blocks_dir, 'blocks.log')))
      const fork_file = folder === undefined ? undefined : options.fork_file
      const is_given =
        [options.replay, options.snapshot, options.fork].some((source) => source !== undefined) ||
        (fork_file !== undefined && existsSync(fork_file))
      const genesis = options.genesis ?? (fresh && !is_given ? defaultGenesis() : undefined)
      const snapshot = options.snapshot ?? options.fork?.snapshot
      if (snapshot !== undefined && !store.head) {
        deps.log('info', `starting from the snapshot ${snapshot}`)
      }
      chain = await Chain.open(
        {
          ...(blocks_dir === undefined ? {} : { blocks_dir }),
          ...(genesis ? { genesis } : {}),
          ...(options.replay === undefined ? {} : { replay: options.replay }),
          ...(options.snapshot === undefined ? {} : { snapshot: options.snapshot }),
          ...(options.fork === undefined ? {} : { fork: options.fork }),
          ...(fork_file === undefined ? {} : { fork_file }),
          ...(options.terminate_at_block ? { terminate_at_block: options.terminate_at_block } : {}),
          rules: options.rules,
          ...(options.features ? { features: options.features } : {}),
          finalizer_keys: options.finalizer_keys,
          ...(folder === undefined ? {} : { finalizers_dir: options.finalizers_dir }),
          ...options.validation,
          onReplay: replayProgress(deps.clock, deps.log),
          onSnapshot: shareProgress(deps.clock, deps.log, 'loading the snapshot'),
          ...(deps.stopStart ? { stopStart: deps.stopStart } : {}),
        },
        {
          store: reportLoading(store, deps.clock, deps.log, deps.stopStart),
          now: () => deps.clock.now(),
          ...(deps.clock.waited ? { waited: () => deps.clock.waited!() } : {}),
          ...(preparer ? { runtime: new WasmRuntime({ preparer }) } : {}),
          recovery,
          log: deps.log,
          events,
          onStoreFailure: () => deps.end('failed'),
        },
      )
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
    }
  }

  /** Begins to produce and to take transactions, unless the head is where the engine shall end. */
  start(): void {
    const { terminate_at_block } = this.options
    const reached = terminate_at_block > 0 && this.chain.head.block_num >= terminate_at_block
    if (reached) return this.deps.end('done')
    this.host.start()
    this.warming = setTimeout(() => {
      this.services.production.startThreads()
      const { preparer } = this
      if (preparer === undefined) return
      // Its start needs nothing of this thread, and the first code finds it ready.
      preparer.warmUp()
      this.warmUp(warmUpChecks(), WARM_UP_DELAY_MS)
    }, THREADS_DELAY_MS).unref()
  }

  /** One step at a time: blocks and requests have priority. */
  private warmUp(steps: Iterator<undefined>, delay_ms = WARM_UP_PAUSE_MS): void {
    this.warming = setTimeout(() => {
      if (!steps.next().done) this.warmUp(steps)
    }, delay_ms).unref()
  }

  /** Ends the waits of requests that blocks would answer: there will be none. */
  endWaits(): Promise<void> {
    return this.host.endWaits()
  }

  /** Stops producing, writes everything out and releases the folder. */
  async close(): Promise<void> {
    await this.endWaits()
    await this.host.stop()
    clearTimeout(this.warming)
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
    `THIS IS A FORK of chain ${toHex(chain_id)}: what follows block ${head.block_num} exists on ` +
      'this node alone, and nothing of it on the public chain',
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

function readAccess({ chain, services, options }: ApiContext, api: ChainApi): ReadAccess {
  const { abi_serializer_max_time_us, accept_transactions, rules } = options
  const { chain_id } = chain
  const version = serverVersion(options.version)
  const time_limit_us = new Float64Array(new SharedArrayBuffer(8))
  const max_signature_length = rules.maximum_variable_signature_length
  const submissions = { max_signature_length, time_limit_us: time_limit_us.buffer }
  return {
    open: () => {
      const { port1, port2: port } = new MessageChannel()
      const words = chain.addReader(port1)
      time_limit_us[0] = services.production.max_recovery_time_us
      const access: StateAccess = {
        ...{ words, port, chain_id, version, abi_serializer_max_time_us },
        submissions: accept_transactions ? submissions : undefined,
      }
      return { access, release: () => chain.removeReader(port1) }
    },
    operations: () => {
      const reads = new Set(Object.keys(STATE_READS) as StateRead[])
      // Charges of accounts are known to this thread alone.
      if (services.subjective_billing.charges) reads.delete('get_account')
      if (chain.block_log_path === undefined) for (const read of BLOCK_READS) reads.delete(read)
      return reads
    },
    submit: async (prepared) => api.submitPrepared(unpackSubmission(prepared)),
    changed: () => {
      time_limit_us[0] = services.production.max_recovery_time_us
      chain.rulesChanged()
    },
  }
}
