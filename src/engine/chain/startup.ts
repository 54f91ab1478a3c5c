/**
 * How a chain comes to life: stored rows or genesis, then the blocks of the log, then the blocks of
 * the reversible journal.
 * spring: libraries/chain/controller.cpp (startup, init, replay)
 */
import { blockId, chainId } from '../crypto/digests.ts'
import { check } from '../errors.ts'
import { blockNumOf, unpackSignedBlock } from '../protocol/block.ts'
import type { GenesisState } from '../protocol/genesis.ts'
import { bytesEqual, toHex } from '../protocol/hex.ts'
import { Reader } from '../protocol/reader.ts'
import { createDatabase } from '../state/database.ts'
import type { Database } from '../state/database.ts'
import { BlockLog } from '../store/block_log.ts'
import type { Store, StoredHead } from '../store/store.ts'
import { WasmRuntime } from '../vm/runtime.ts'
import { openBlockFiles } from './block_files.ts'
import type { BlockArchive, BlockFiles } from './block_files.ts'
import { BlockState } from './block_state.ts'
import { trustedBlockState } from './block_validation.ts'
import { BlockWriter } from './block_writer.ts'
import { ChainEvents } from './chain_events.ts'
import type { ChainDependencies, ChainOptions } from './chain_options.ts'
import { WaitMeter } from './wait_meter.ts'
import type { ChainParts } from './chain_parts.ts'
import { FeatureSet } from './features.ts'
import { keepCertificate } from './finality/consider_voting.ts'
import { openFinality, resumeFinalizers } from './finality/open_finality.ts'
import { ForkDatabase } from './fork_database.ts'
import { initializeDatabase } from './genesis.ts'
import { genesisBlockState } from './genesis_block.ts'
import { unpackHead } from './head_blob.ts'
import type { StoredStates } from './head_blob.ts'
import { headerRules } from './header_rules.ts'
import { prepareCodes } from './prepare_codes.ts'
import { applyBest } from './push_block.ts'
import { replayBlocks } from './replay.ts'
import { checkArchive, keepSnapshot, readSnapshot } from './start_from_snapshot.ts'
import { defaultRules } from './subjective_rules.ts'

/**
 * Opens the chain. The state starts where the store stands, at genesis or at a snapshot; blocks after that come
 * from the chain's own log, then from the log to replay, then from the reversible journal. On
 * failure what was replayed so far is kept, and store and files are closed.
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
    const own_genesis = options.snapshot ? undefined : genesis
    const files = openBlockFiles(options.blocks_dir, own_genesis, syncsBlocks(options))
    open.push(
      () => files.archive.close(),
      () => files.journal.close(),
    )
    tellDropped(files, deps)
    const chain = await openState(options, deps, files)
    prepareCodes(chain.db, chain.runtime)
    open.push(() => chain.writer.drained())
    checkChainId(chain.chain_id, replay?.chain_id, 'the block log to replay')
    await replayBlocks(chain, files.archive)
    if (replay) await replayBlocks(chain, replay)
    replay?.close()
    // A replay that ends before the log does leaves the journal, which goes on after the log, alone.
    if (chain.head.block_num >= files.archive.head_block_num) await reapplyJournal(chain, files)
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
function syncsBlocks({ sync_blocks, finalizer_keys }: ChainOptions): boolean {
  return (sync_blocks ?? true) || (finalizer_keys !== undefined && finalizer_keys.size > 0)
}

function tellDropped({ archive, journal }: BlockFiles, { log }: ChainDependencies): void {
  const tell = (file: string, bytes: number): void => {
    if (bytes > 0) log?.('warn', `${file}: ${bytes} bytes at the end are no whole block: cut off`)
  }
  tell('blocks.log', archive.dropped_bytes)
  tell('reversible.log', journal.dropped_bytes)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The state as far as it is stored, or a new chain's. */
async function openState(
  options: ChainOptions,
  deps: ChainDependencies,
  files: BlockFiles,
): Promise<ChainParts> {
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
  const head = store.head
    ? await loadState(db, store, store.head, archive)
    : snapshot === undefined
      ? createState(db, genesis)
      : startFromSnapshot(db, snapshot, archive, options)
  const { chain_id } = db.global_property.single()
  if (options.genesis)
    checkChainId(chain_id, chainId(options.genesis), 'the genesis that was given')
  checkChainId(chain_id, files.chain_id, 'the block log')
  if (snapshot !== undefined) await keepSnapshot(db, head, store, archive)
  const chain = makeParts(options, deps, db, head, files)
  if (is_new && snapshot === undefined) chain.writer.irreversible(head)
  return chain
}

function startFromSnapshot(
  db: Database,
  path: string,
  archive: BlockArchive,
  options: ChainOptions,
): BlockState {
  const stored = readSnapshot(db, path, (share) => {
    check(!options.stopStart?.(), 'interrupt_exception', 'the loading of a snapshot was stopped')
    options.onSnapshot?.(share)
  })
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
  const states = unpackHead(stored.head)
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
      'put the right log back, or remove it to go on without the earlier blocks',
  )
  if (archive.first_block_num === 0) {
    // Without the log the chain goes on, but its earlier blocks cannot be asked for.
    const { chain_id } = db.global_property.single()
    archive.begin({ chain_id, first_block_num: stored.block_num + 1 })
  }
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

function makeParts(
  options: ChainOptions,
  deps: ChainDependencies,
  db: Database,
  head: BlockState,
  files: BlockFiles,
): ChainParts {
  const features = new FeatureSet(options.features)
  const log = deps.log ?? (() => undefined)
  let failed = false
  const onFailure = (error: unknown): void => {
    // One failure brings others.
    if (failed) return
    failed = true
    log('error', `the disk failed, nothing more is written: ${messageOf(error)}`)
    deps.onStoreFailure?.(error)
  }
  const forks = new ForkDatabase(head)
  const events = deps.events ?? new ChainEvents(log)
  return {
    chain_id: Uint8Array.from(db.global_property.single().chain_id),
    db,
    runtime: deps.runtime ?? new WasmRuntime(),
    features,
    header_rules: headerRules(features),
    rules: options.rules ?? defaultRules(),
    options,
    forks,
    finality: openFinality(options, deps, { forks, events, log }),
    writer: new BlockWriter(files.archive, files.journal, deps.store, {
      max_records: options.store_backlog,
      onFailure,
    }),
    events,
    now: deps.now,
    waits: deps.waited && new WaitMeter(deps.waited),
    log,
    head,
    pending: undefined,
  }
}

/**
 * Applies the blocks of the journal that are not irreversible yet. They were validated when they
 * came in, so checks of their signatures and authorities are not repeated.
 */
async function reapplyJournal(chain: ChainParts, files: BlockFiles): Promise<void> {
  const { archive, journal } = files
  if (journal.blocks.length === 0) return
  for (const packed of journal.blocks) {
    const block = unpackSignedBlock(new Reader(packed))
    if (blockNumOf(block) <= chain.forks.root.block_num) continue
    const prev = chain.forks.get(block.previous)
    if (prev === undefined) {
      chain.log('warn', `journaled block ${blockNumOf(block)} does not link and is dropped`)
      continue
    }
    const trusted = !chain.options.force_all_checks
    const next = trustedBlockState(prev, block, packed, {
      rules: chain.header_rules,
      signatures: trusted ? undefined : chain.finality.verifier.verify,
    })
    next.validated = trusted
    chain.writer.journalHolds(next)
    keepCertificate(chain, next)
    chain.forks.add(next)
    // One by one, as they came in: the rules of forks change at the end of the transition.
    applyBest(chain)
  }
  // The journal may forget only what the log has on disk.
  await archive.sync()
  chain.writer.rewriteJournal(chain.forks)
}

function checkChainId(chain_id: Uint8Array, other: Uint8Array | undefined, whose: string): void {
  if (other === undefined) return
  check(
    bytesEqual(chain_id, other),
    'chain_id_type_exception',
    `${whose} is of chain ${toHex(other)}, the state of chain ${toHex(chain_id)}`,
  )
}
