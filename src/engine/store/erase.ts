import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BlockLogFiles } from './block_log_files.ts'
import { Rocks, isInUse } from './rocks.ts'

/** Everything that RocksDB makes in its folder. */
const STATE_FILE =
  /^(CURRENT|IDENTITY|SESSION_ID|LOCK|LOG(\.old.*)?|(MANIFEST|OPTIONS)-\d+|\d+\.(log|sst)|.*\.dbtmp)$/
const BLOCKS_FILE =
  /^((blocks|recent)(-\d+-\d+)?\.(index|check)|((blocks|recent)(-\d+-\d+)?|reversible)\.log(\.new|\.lost-\d+)?)$/
/** Files that nodeos writes to its folder. */
const FORK_DB_FILE = /^fork_db\.dat(\.taken)?$/

/**
 * Removes the blocks, whatever condition they are in. Nothing else in the folders is touched.
 * @param split the folders of a split log, if they are others
 */
export function eraseBlocks(
  blocks_dir: string,
  { retained_dir, archive_dir }: Pick<BlockLogFiles, 'retained_dir' | 'archive_dir'> = {},
): void {
  for (const folder of [blocks_dir, retained_dir]) {
    if (folder !== undefined) removeFiles(folder, BLOCKS_FILE)
  }
  // As the reference, which removes all of blocks-dir. An archive elsewhere is for other programs.
  if (archive_dir !== undefined && dirname(archive_dir) === blocks_dir) {
    removeFiles(archive_dir, BLOCKS_FILE)
  }
  removeFiles(join(blocks_dir, 'reversible'), FORK_DB_FILE)
}

/**
 * Removes the state, whatever condition it is in. Nothing else in the folder is touched.
 * @throws database_exception while another process uses it
 */
export async function eraseState(state_dir: string): Promise<void> {
  if (!existsSync(state_dir)) return
  try {
    await (await Rocks.open(state_dir)).close()
  } catch (error) {
    // Other errors of the file do not matter, because it is removed.
    if (isInUse(error)) throw error
  }
  removeFiles(state_dir, STATE_FILE)
}

/**
 * The order of removal. If the process ends midway, the remaining files are an earlier state or no
 * state, but never a damaged one: first the logs, the newest first, then the files that name all
 * others.
 */
function byOrder(a: string, b: string): number {
  const rank = (name: string) => (/^\d+\.log$/.test(name) ? 0 : name === 'CURRENT' ? 1 : 2)
  return rank(a) - rank(b) || Number.parseInt(b) - Number.parseInt(a) || 0
}

function removeFiles(folder: string, pattern: RegExp): void {
  if (!existsSync(folder)) return
  const names = readdirSync(folder).filter((name) => pattern.test(name))
  for (const name of names.sort(byOrder)) rmSync(join(folder, name), { force: true })
}
