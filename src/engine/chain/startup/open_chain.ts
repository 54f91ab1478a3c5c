/**
 * Opens a chain: from stored rows or genesis, then the blocks of the log, then the blocks of the
 * reversible log.
 * spring: libraries/chain/controller.cpp (startup, init, replay)
 */
import { blockId, chainId } from '../../crypto/digests.ts'
import { check } from '../../errors.ts'
import { namingSnapshot } from '../../snapshot/naming_snapshot.ts'
import { unpackSignedBlock } from '../../protocol/block.ts'
import type { GenesisState } from '../../protocol/genesis.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { Reader } from '../../protocol/reader.ts'
import { createDatabase } from '../../state/database.ts'
import type { Database } from '../../state/database.ts'
import { BlockLog } from '../../store/block_log.ts'
import type { Store, StoredHead } from '../../store/store.ts'
import { WasmRuntime } from '../../vm/runtime.ts'
import { openBlockFiles } from '../storage/block_files.ts'
import type { BlockArchive, BlockFiles } from '../storage/block_files.ts'
import { BlockState } from '../headers/block_state.ts'
import { BlockWriter } from '../storage/block_writer.ts'
import { ChainEvents } from '../chain_events.ts'
import type { ChainDependencies, ChainOptions } from '../chain_options.ts'
import { WaitMeter } from '../execution/budgets/wait_meter.ts'
import type { ChainParts } from '../blocks/chain_parts.ts'
import { FeatureSet } from '../rules/features.ts'
import { openFinality, openSafety, resumeFinalizers, warnOfMissingSafety } from './open_finality.ts'
import type { OpenedSafety } from './open_finality.ts'
import { ForkDatabase } from '../forks/fork_database.ts'
import { initializeDatabase } from '../rules/genesis.ts'
import { genesisBlockState } from '../headers/genesis_block.ts'
import { unpackStored } from '../headers/packed_head.ts'
import type { StoredStates } from '../headers/packed_head.ts'
import { headerRules } from '../headers/header_rules.ts'
import { WAY_OUT, findLostBlocks, refuseLostBlocks } from './lost_blocks.ts'
import { acceptLoss } from './accept_loss.ts'
import { prepareCodes } from './prepare_codes.ts'
import { reapplyJournal } from './reapply_journal.ts'
import type { ForeignBlocks } from '../storage/reference_fork_db.ts'
import { openForeignBlocks, takeForeignBlocks } from './take_foreign_blocks.ts'
import { replayBlocks } from './replay.ts'
import { checkArchive, keepSnapshot, readSnapshot } from './start_from_snapshot.ts'
import {
  beginFork,
  checkContinuedFork,
  forgetVotes,
  keepFork,
  startingSnapshot,
} from './begin_fork.ts'
import type { StartingSnapshot } from './begin_fork.ts'
import { defaultRules } from '../execution/subjective_rules.ts'

/**
 * Opens the chain. The state starts from the store, the genesis or a snapshot. The blocks after
 * that come from the chain's own log, then from the log to replay, then from the reversible log.
 * After a failure, blocks that were replayed so far are kept, and store and files are closed.
 */
export async function openChain(
  options: ChainOptions,
  deps: ChainDependencies,
): Promise<ChainParts> {
  const open: (() => void | Promise<void>)[] = [() => deps.store.close()]
  try {
    const replay = options.replay === undefined ? undefined : BlockLog.openReadOnly(options.replay)
    if (replay) open.push(() => replay.close())
    const genesis = options.genesis ?? replay?.genesis
    const own_genesis = options.snapshot || options.fork ? undefined : genesis
    const safety = openSafety(options)
    const files = openBlockFiles({
      blocks_dir: options.blocks_dir,
      block_log: options.block_log,
      genesis: own_genesis,
      sync_each_block: syncsBlocks(options),
      accept_damage: acceptsLoss(options),
      way_out: WAY_OUT,
      now_us: deps.now(),
    })
    open.push(
      () => files.archive.close(),
      () => files.journal.close(),
    )
    const foreign = openForeignBlocks(options.blocks_dir)
    const announced = announcedBlock(options, deps.store)
    const sources = { files, replay, safety, announced, foreign }
    const { chain, lost } = await openState(options, deps, sources)
    prepareCodes(chain.db, chain.runtime)
    open.push(() => chain.writer.drained())
    checkChainId(chain.chain_id, replay?.chain_id, 'the block log to replay')
    await replayBlocks(chain, files.archive, deps.recovery)
    if (replay) await replayBlocks(chain, replay, deps.recovery)
    replay?.close()
    // A replay that ends before the log does not change the reversible log, which continues after
    // the log.
    if (chain.head.block_num >= files.archive.head_block_num) {
      const unlinked = await reapplyJournal(chain, files, announced)
      if (foreign) takeForeignBlocks(chain, foreign)
      if (acceptsLoss(options)) await acceptLoss(chain, { lost, unlinked, safety })
    }
    if (chain.forks.savanna && !options.snapshot) warnOfMissingSafety(safety, chain.log)
    resumeFinalizers(chain.finality, chain.forks)
    return chain
  } catch (error) {
    for (const close of open.reverse()) await closeAfter(close, error, deps)
    throw error
  }
}

/** Closes a part of a chain that could not be opened; what fails then is not the first to fail. */
async function closeAfter(
  close: () => void | Promise<void>,
  reason: unknown,
  { log }: ChainDependencies,
): Promise<void> {
  try {
    await close()
  } catch (error) {
    if (error !== reason) log?.('error', `cannot close: ${messageOf(error)}`)
  }
}

/** A finalizer must not be bound to blocks that a power cut takes away: it could never vote again. */
function syncsBlocks({ blocks_dir, sync_blocks, finalizer_keys }: ChainOptions): boolean {
  if (blocks_dir === undefined) return false
  return (sync_blocks ?? true) || (finalizer_keys !== undefined && finalizer_keys.size > 0)
}

function acceptsLoss({ lost_blocks = 'refuse' }: ChainOptions): boolean {
  return lost_blocks !== 'refuse'
}

/** Makes the files ready to be written, and says what was wrong with them. */
function mendFiles(
  { archive, journal }: BlockFiles,
  { log }: ChainDependencies,
  accept: boolean,
): void {
  const tell = (file: string, bytes: number): void => {
    if (bytes > 0)
      log?.('warn', `${file}: ${bytes} bytes at the end are not a whole block: cut off`)
  }
  tell('blocks.log', archive.dropped_bytes)
  tell('reversible.log', journal.dropped_bytes)
  const copy = archive.mend(accept)
  if (copy !== undefined) log?.('error', `blocks.log was damaged; a copy is kept as ${copy}`)
  const { damaged_at } = journal
  const kept = journal.mend()
  if (kept !== undefined) {
    log?.('error', `reversible.log was damaged at byte ${damaged_at}; it is kept as ${kept}`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The initial state, if not from the store. */
interface Sources {
  files: BlockFiles
  replay: BlockLog | undefined
  safety: OpenedSafety | undefined
  announced: Uint8Array | undefined
  foreign: ForeignBlocks | undefined
}

/**
 * The last announced block according to the stored state. It is not used for a chain whose blocks
 * are only in memory.
 */
function announcedBlock({ blocks_dir }: ChainOptions, { head }: Store): Uint8Array | undefined {
  return blocks_dir !== undefined && head ? unpackStored(head.head).announced : undefined
}

/** The stored state, or that of a new chain, and the missing blocks if their loss is accepted. */
async function openState(
  options: ChainOptions,
  deps: ChainDependencies,
  { files, replay, safety, announced, foreign }: Sources,
): Promise<{ chain: ChainParts; lost: readonly string[] }> {
  const { store } = deps
  const db = createDatabase()
  const { archive, genesis } = files
  const { snapshot } = options
  const is_new = store.head === undefined
  check(
    is_new || snapshot === undefined,
    'snapshot_exception',
    'Snapshot can only be used to initialize an empty database: the data folder has a state',
  )
  const start = is_new ? startingSnapshot(options, archive) : undefined
  const head = store.head
    ? await loadState(db, store, store.head, archive)
    : start === undefined
      ? createState(db, genesis)
      : startFromSnapshot(db, start, archive, options)
  if (!is_new && options.fork) checkContinuedFork(db, options.fork)
  const { chain_id } = db.global_property.single()
  if (options.genesis)
    checkChainId(chain_id, chainId(options.genesis), 'the genesis that was given')
  checkChainId(chain_id, files.chain_id, 'the block log', ': put the right log back')
  const begins =
    is_new && (start === undefined || start.fork || start.is_own) && archive.head_block_num === 0
  const lost = findLostBlocks({
    head,
    announced,
    archives: replay ? [archive, replay] : [archive],
    journal: files.journal.records,
    foreign,
    // The finalizers of a new chain may have voted in another chain.
    safety: begins && !replay && files.journal.records.length === 0 ? undefined : safety,
  })
  if (!acceptsLoss(options)) refuseLostBlocks(lost)
  mendFiles(files, deps, acceptsLoss(options))
  if (start !== undefined) {
    await keepFork({ db, head }, start, options, deps)
    await keepSnapshot(db, head, store, archive)
  }
  if (archive.first_block_num === 0 && !is_new) {
    deps.log?.('warn', `blocks.log has no blocks: blocks up to ${head.block_num} cannot be read`)
    archive.begin({ chain_id, first_block_num: head.block_num + 1 })
  }
  const own_safety = begins && start ? forgetVotes(safety, start, deps) : safety
  const chain = makeParts(options, deps, { db, head, files, safety: own_safety })
  if (is_new && start === undefined) {
    chain.writer.logIrreversible([head])
    chain.writer.irreversible(head, head)
  }
  return { chain, lost }
}

/**
 * Fills an empty database from a snapshot.
 * @returns the head, with its block if the archive has it
 * @throws ChainError the snapshot is invalid, or does not belong to the archive
 */
export function startFromSnapshot(
  db: Database,
  { path, fork }: StartingSnapshot,
  archive: BlockArchive,
  options: ChainOptions,
): BlockState {
  const read = namingSnapshot(path, () =>
    readSnapshot(db, path, (share) => {
      check(!options.stopStart?.(), 'interrupt_exception', 'the loading of a snapshot was stopped')
      options.onSnapshot?.(share)
    }),
  )
  const stored = fork ? beginFork(db, read, fork) : read
  const { block_num } = new BlockState(stored.states)
  db.setRevision(block_num)
  checkArchive(archive, block_num)
  return headState(stored, archive)
}

async function loadState(
  db: Database,
  store: Store,
  stored: StoredHead,
  archive: BlockArchive,
): Promise<BlockState> {
  await store.load(db)
  db.setRevision(stored.block_num)
  const states = unpackStored(stored.head)
  const state = new BlockState(states.states)
  check(
    bytesEqual(state.id, stored.block_id) && state.block_num === stored.block_num,
    'database_exception',
    `the stored head is not the state of block ${stored.block_num}`,
  )
  const { head_block_num } = archive
  check(
    head_block_num === 0 || head_block_num >= stored.block_num,
    'block_log_exception',
    `the block log ends at block ${head_block_num}, the state is at block ${stored.block_num}: ` +
      'put the right log back, or remove it to continue without the earlier blocks',
  )
  return headState(states, archive)
}

/** The head with its block, if the log has it. */
function headState({ states, valid }: StoredStates, archive: BlockArchive): BlockState {
  const state = new BlockState(states)
  state.valid = valid
  const packed = archive.read(state.block_num)
  if (packed === undefined) return state
  const block = unpackSignedBlock(new Reader(packed))
  check(
    bytesEqual(blockId(block), state.id),
    'block_log_exception',
    `block ${state.block_num} of the block log is not the one that the state is at`,
  )
  const head = new BlockState(states, block, packed)
  head.valid = valid
  return head
}

/** Block 1 and the state after it. */
function createState(db: Database, genesis: GenesisState | undefined): BlockState {
  check(genesis, 'block_log_exception', 'a new chain needs a genesis, or a block log that has one')
  const head = genesisBlockState(genesis)
  const session = db.startSession()
  initializeDatabase(db, genesis, head.id)
  head.changes = db.collectChanges()
  session.push()
  db.commit(head.block_num)
  return head
}

/** Puts the parts of an open chain together. */
export function makeParts(
  options: ChainOptions,
  deps: ChainDependencies,
  {
    db,
    head,
    files,
    safety,
  }: Pick<Sources, 'files' | 'safety'> & { db: Database; head: BlockState },
): ChainParts {
  const features = new FeatureSet(options.features)
  const log = deps.log ?? (() => undefined)
  let failed = false
  const onFailure = (error: unknown): void => {
    // Later failures are consequences of the first.
    if (failed) return
    failed = true
    log('error', `the disk failed, nothing more is written: ${messageOf(error)}`)
    deps.onStoreFailure?.(error)
  }
  const forks = new ForkDatabase(head)
  const events = deps.events ?? new ChainEvents(log)
  const writer = new BlockWriter(files.archive, files.journal, deps.store, {
    max_records: options.store_backlog,
    syncs_blocks: syncsBlocks(options),
    beforeStoring: () => events.prepareStoring(),
    onFailure,
  })
  events.onStoringFailure = (error) => writer.fail(error)
  return {
    chain_id: Uint8Array.from(db.global_property.single().chain_id),
    db,
    runtime: deps.runtime ?? new WasmRuntime(),
    features,
    header_rules: headerRules(features),
    rules: options.rules ?? defaultRules(),
    options,
    forks,
    finality: openFinality(options, deps, { forks, writer, events, log }, safety),
    writer,
    events,
    now: deps.now,
    waits: deps.waited && new WaitMeter(deps.waited),
    digest_thread: options.force_all_checks ? undefined : deps.digest_thread,
    log,
    head,
    pending: undefined,
    pause_at_block_num: 0,
    checkpoints: [],
  }
}

/** @param way_out follows what is wrong */
function checkChainId(
  chain_id: Uint8Array,
  other: Uint8Array | undefined,
  whose: string,
  way_out = '',
): void {
  if (other === undefined) return
  check(
    bytesEqual(chain_id, other),
    'chain_id_type_exception',
    `${whose} is of chain ${toHex(other)}, the state of chain ${toHex(chain_id)}${way_out}`,
  )
}
