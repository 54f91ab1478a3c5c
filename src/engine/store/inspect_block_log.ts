/** Reads facts from a block log without opening it for writing. */
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import type { GenesisState } from '../protocol/genesis.ts'
import { BlockLog } from './block_log.ts'
import { currentLog, firstLog } from './block_log_files.ts'
import { MAX_PREAMBLE, readPreamble } from './block_log_preamble.ts'
import { failAs, readAt } from './file.ts'

/**
 * The genesis of the log, if it starts with block 1.
 * @param retained_dir of a split log, if it is another folder
 * @throws ChainError block_log_not_found, block_log_exception
 */
export function genesisOfLog(blocks_dir: string, retained_dir?: string): GenesisState | undefined {
  return look(firstLog(blocks_dir, retained_dir) ?? blocks_dir, (log) => log.genesis)
}

/**
 * The number of the first block that the log has or will have; undefined when there is no log.
 * @param retained_dir of a split log, if it is another folder
 * @throws ChainError `block_log_exception`
 */
export function firstBlockOfLog(blocks_dir: string, retained_dir?: string): number | undefined {
  const path = firstLog(blocks_dir, retained_dir)
  return path === undefined ? undefined : look(path, (log) => log.first_block_num)
}

/**
 * The id of the chain whose blocks a log has; only its beginning is read.
 * @param path the log, or its folder
 * @returns undefined when there is no log
 * @throws ChainError `block_log_exception`
 */
export function chainIdOfLog(path: string): Uint8Array | undefined {
  if (!existsSync(path)) return undefined
  const file = statSync(path).isDirectory() ? (currentLog(path) ?? firstLog(path)) : path
  if (file === undefined || !existsSync(file)) return undefined
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

function look<T>(path: string, at: (log: BlockLog) => T): T {
  const log = BlockLog.openReadOnly(path)
  try {
    return at(log)
  } finally {
    log.close()
  }
}
