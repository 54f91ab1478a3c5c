/** Opens a new chain that is in memory alone, without waiting for anything. */
import { check } from '../../errors.ts'
import { createDatabase } from '../../state/database.ts'
import { NoStore } from '../../store/no_store.ts'
import type { ChainParts } from '../blocks/chain_parts.ts'
import type { ChainDependencies, ChainOptions } from '../chain_options.ts'
import { MemoryArchive, MemoryJournal } from '../storage/block_files.ts'
import { genesisBlockState } from '../headers/genesis_block.ts'
import { initializeDatabase } from '../rules/genesis.ts'
import { openSafety } from './open_finality.ts'
import { makeParts } from './open_chain.ts'

/**
 * A chain of the genesis in `options`; nothing of it is on a disk, and rows are not kept apart from
 * the state.
 * @throws ChainError block_log_exception without a genesis
 */
export function createChain(
  options: ChainOptions,
  deps: Omit<ChainDependencies, 'store'>,
): ChainParts {
  const { genesis } = options
  check(genesis, 'block_log_exception', 'a new chain needs a genesis')
  const db = createDatabase()
  const head = genesisBlockState(genesis)
  initializeDatabase(db, genesis, head.id)
  db.setRevision(head.block_num)
  // No store needs the rows.
  head.changes = { bytes: new Uint8Array(0), count: 0, next_ids: [] }
  const files = {
    archive: new MemoryArchive(),
    journal: new MemoryJournal(),
    genesis,
    chain_id: undefined,
  }
  const safety = openSafety(options)
  const chain = makeParts(options, { ...deps, store: new NoStore() }, { db, head, files, safety })
  chain.writer.irreversible(head, head)
  return chain
}
