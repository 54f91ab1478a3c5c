/** The reversible blocks of nodeos, at the first start on a folder that comes from it. */
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ChainError, fail } from '../../errors.ts'
import { blockNumFromId } from '../../protocol/block.ts'
import { failAs, syncFolder } from '../../store/file.ts'
import type { ChainParts } from '../blocks/chain_parts.ts'
import { idText } from './lost_blocks.ts'
import { pushBlock } from '../blocks/push_block.ts'
import { FORK_DB_WAY_OUT, unpackForkDatabase } from '../storage/reference_fork_db.ts'
import type { ForeignBlocks } from '../storage/reference_fork_db.ts'

/** spring: config::reversible_blocks_dir_name, config::fork_db_filename */
const FOLDER = 'reversible'
const NAME = 'fork_db.dat'

/**
 * Reads the file of nodeos, if there is one.
 * @throws ChainError `fork_database_exception`
 */
export function openForeignBlocks(blocks_dir: string | undefined): ForeignBlocks | undefined {
  if (blocks_dir === undefined) return undefined
  const path = join(blocks_dir, FOLDER, NAME)
  if (!existsSync(path)) return undefined
  try {
    return unpackForkDatabase(new Uint8Array(readFileSync(path)), path)
  } catch (error) {
    failAs('fork_database_exception', `cannot read ${path}`, error)
  }
}

/**
 * Pushes the blocks like received blocks, so all checks apply, and writes them to the reversible
 * log. Then the file is renamed to `fork_db.dat.taken`; nodeos removes it at this point.
 * @throws fork_database_exception when a block that nodeos had executed is refused
 */
export function takeForeignBlocks(chain: ChainParts, { path, blocks }: ForeignBlocks): void {
  for (const { block_num, id, previous, packed, executed } of blocks) {
    const { root } = chain.forks
    if (block_num <= root.block_num) continue
    // Of a branch that was left before the last irreversible block.
    if (!chain.forks.get(previous) && blockNumFromId(previous) <= root.block_num) continue
    try {
      pushBlock(chain, packed)
    } catch (error) {
      if (!(error instanceof ChainError) || chain.forks.get(id)) throw error
      const text = `${idText(id)} of ${path} is refused: ${error.message}`
      if (executed) fail('fork_database_exception', `${text}${FORK_DB_WAY_OUT}`)
      chain.log('warn', text)
    }
  }
  const { head } = chain
  chain.log(
    'info',
    `${blocks.length} reversible blocks of nodeos are read, up to ${idText(head.id)}`,
  )
  try {
    renameSync(path, `${path}.taken`)
    syncFolder(join(path, '..'))
  } catch (error) {
    failAs('fork_database_exception', `cannot rename ${path}`, error)
  }
}
