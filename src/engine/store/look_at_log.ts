/** What a block log says without being opened for writing. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { GenesisState } from '../protocol/genesis.ts'
import { BlockLog } from './block_log.ts'

/** The genesis that the log begins with, if it begins with block 1.
 *  Errors: `block_log_not_found`, `block_log_exception`. */
export function genesisOfLog(blocks_dir: string): GenesisState | undefined {
  return look(blocks_dir, (log) => log.genesis)
}

/** The number of the first block that the log has or will have; undefined when there is no log.
 *  Errors: `block_log_exception`. */
export function firstBlockOfLog(blocks_dir: string): number | undefined {
  if (!existsSync(join(blocks_dir, 'blocks.log'))) return undefined
  return look(blocks_dir, (log) => log.first_block_num)
}

function look<T>(blocks_dir: string, at: (log: BlockLog) => T): T {
  const log = BlockLog.openReadOnly(blocks_dir)
  try {
    return at(log)
  } finally {
    log.close()
  }
}
