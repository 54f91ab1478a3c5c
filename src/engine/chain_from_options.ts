import { existsSync } from 'node:fs'
import { Chain } from './chain/chain.ts'
import { ChainEvents } from './chain/chain_events.ts'
import { BlockKeyThreads } from './crypto/block_key_threads.ts'
import { DigestThread } from './crypto/digest_thread.ts'
import type { EngineDependencies, EngineOptions } from './engine_options.ts'
import { replayProgress, reportLoading, shareProgress } from './progress.ts'
import { defaultGenesis } from './protocol/genesis.ts'
import { currentLog } from './store/block_log_files.ts'
import type { Store } from './store/store.ts'
import { PreparerThread } from './vm/preparation/preparer_thread.ts'
import { WasmRuntime } from './vm/runtime.ts'

/** What a chain is opened on. */
interface Foundation {
  store: Store
  recovery: BlockKeyThreads
  digest_thread: DigestThread
  events: ChainEvents
  /** Absent: codes are prepared when they run. */
  preparer?: PreparerThread
}

/**
 * Opens the chain of the data folder, or begins one from a genesis, a snapshot, a block log or a public chain, as the
 * options say. Without any of them, a new chain has the default genesis.
 * @throws ChainError if the folder, the file or the log cannot be used
 */
export function chainFromOptions(
  options: EngineOptions,
  deps: EngineDependencies,
  { store, recovery, digest_thread, events, preparer }: Foundation,
): Promise<Chain> {
  const { clock, log, stopStart } = deps
  const is_on_disk = options.data_dir !== undefined
  const blocks_dir = is_on_disk ? options.blocks_dir : undefined
  const fork_file = is_on_disk ? options.fork_file : undefined
  const fresh = !store.head && !(blocks_dir && currentLog(blocks_dir) !== undefined)
  const is_given =
    [options.replay, options.snapshot, options.fork].some((source) => source !== undefined) ||
    (fork_file !== undefined && existsSync(fork_file))
  const genesis = options.genesis ?? (fresh && !is_given ? defaultGenesis() : undefined)
  const snapshot = options.snapshot ?? options.fork?.snapshot
  if (snapshot !== undefined && !store.head) log('info', `starting from the snapshot ${snapshot}`)
  return Chain.open(
    {
      ...(blocks_dir === undefined ? {} : { blocks_dir }),
      ...(options.block_log ? { block_log: options.block_log } : {}),
      ...(genesis ? { genesis } : {}),
      ...(options.replay === undefined ? {} : { replay: options.replay }),
      ...(options.snapshot === undefined ? {} : { snapshot: options.snapshot }),
      ...(options.snapshot_of_own_chain ? { snapshot_of_own_chain: true } : {}),
      ...(options.fork === undefined ? {} : { fork: options.fork }),
      ...(fork_file === undefined ? {} : { fork_file }),
      ...(options.terminate_at_block ? { terminate_at_block: options.terminate_at_block } : {}),
      rules: options.rules,
      ...(options.features ? { features: options.features } : {}),
      finalizer_keys: options.finalizer_keys,
      ...(is_on_disk ? { finalizers_dir: options.finalizers_dir } : {}),
      ...options.validation,
      onReplay: replayProgress(clock, log),
      onSnapshot: shareProgress(clock, log, 'loading the snapshot'),
      ...(stopStart ? { stopStart } : {}),
    },
    {
      store: reportLoading(store, clock, log, stopStart),
      now: () => clock.now(),
      ...(clock.waited ? { waited: () => clock.waited!() } : {}),
      ...(preparer ? { runtime: new WasmRuntime({ preparer }) } : {}),
      recovery,
      digest_thread,
      log,
      events,
      onStoreFailure: () => deps.end('failed'),
    },
  )
}
