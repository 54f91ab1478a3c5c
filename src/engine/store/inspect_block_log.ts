/** Reads facts from a block log without opening it for writing. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { GenesisState } from '../protocol/genesis.ts'
import { BlockLog } from './block_log.ts'
import { MAX_PREAMBLE, readPreamble } from './block_log_preamble.ts'
import { failAs, readAt } from './file.ts'

/**
 * The genesis of the log, if it starts with block 1.
 * @throws ChainError block_log_not_found, block_log_exception
 */
export function genesisOfLog(blocks_dir: string): GenesisState | undefined {
  return look(blocks_dir, (log) => log.genesis)
}

/**
 * The number of the first block that the log has or will have; undefined when there is no log.
 * @throws ChainError `block_log_exception`
 */
export function firstBlockOfLog(blocks_dir: string): number | undefined {
  if (!existsSync(join(blocks_dir, 'blocks.log'))) return undefined
  return look(blocks_dir, (log) => log.first_block_num)
}

/**
 * The id of the chain whose blocks a log has; only its beginning is read.
 * @param path the log, or its folder
 * @returns undefined when there is no log
 * @throws ChainError `block_log_exception`
 */
export function chainIdOfLog(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined
  const file = statSync(path).isDirectory() ? join(path, 'blocks.log') : path
  if (!existsSync(file)) return undefined
  try {
    const fd = openSync(file, 'r')
    try {
      return readPreamble(readAt(fd, 0, MAX_PREAMBLE), file).chain_id
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    failAs('block_log_exception', `cannot read ${file}`, error)
  }
}

function look<T>(blocks_dir: string, at: (log: BlockLog) => T): T {
  const log = BlockLog.openReadOnly(blocks_dir)
  try {
    return at(log)
  } finally {
    log.close()
  }
}
