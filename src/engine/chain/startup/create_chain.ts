/** Opens a new chain that is in memory alone, without waiting for anything. */
import { check } from '../../errors.ts'
import { createDatabase } from '../../state/database.ts'
import type { Database } from '../../state/database.ts'
import { NoStore } from '../../store/no_store.ts'
import type { ChainParts } from '../blocks/chain_parts.ts'
import type { ChainDependencies, ChainOptions } from '../chain_options.ts'
import { genesisBlockState } from '../headers/genesis_block.ts'
import type { BlockState } from '../headers/block_state.ts'
import { initializeDatabase } from '../rules/genesis.ts'
import { MemoryArchive, MemoryJournal } from '../storage/block_files.ts'
import { startingSnapshot } from './begin_fork.ts'
import { makeParts, startFromSnapshot } from './open_chain.ts'

/**
 * A chain of the genesis, the snapshot or the fork in `options`; nothing of it is on a disk, and rows
 * are not kept apart from the state.
 * @throws ChainError block_log_exception without any of these; the snapshot cannot be read
 */
export function createChain(
  options: ChainOptions,
  deps: Omit<ChainDependencies, 'store'>,
): ChainParts {
  const db = createDatabase()
  const archive = new MemoryArchive()
  const start = startingSnapshot(options, archive)
  const head = start ? startFromSnapshot(db, start, archive, options) : firstState(db, options)
  const files = {
    archive,
    journal: new MemoryJournal(),
    genesis: options.genesis,
    chain_id: undefined,
  }
  const own = { db, head, files, safety: undefined }
  const chain = makeParts(options, { ...deps, store: new NoStore() }, own)
  if (start === undefined) {
    chain.writer.logIrreversible([head])
    chain.writer.irreversible(head, head)
  } else archive.begin({ first_block_num: head.block_num + 1 })
  return chain
}

/** Block 1, without undo history. */
function firstState(db: Database, { genesis, block_summaries }: ChainOptions): BlockState {
  check(genesis, 'block_log_exception', 'a new chain needs a genesis')
  const head = genesisBlockState(genesis)
  initializeDatabase(db, genesis, head.id, block_summaries)
  db.setRevision(head.block_num)
  // No store needs the rows.
  head.changes = { bytes: new Uint8Array(0), count: 0, next_ids: [] }
  return head
}
