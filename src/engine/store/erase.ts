import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Rocks, isInUse } from './rocks.ts'

/** Everything that RocksDB makes in its folder. */
const STATE_FILE =
  /^(CURRENT|IDENTITY|LOCK|LOG(\.old.*)?|(MANIFEST|OPTIONS)-\d+|\d+\.(log|sst)|.*\.dbtmp)$/
const BLOCKS_FILE = /^(blocks\.index|(blocks|reversible)\.log(\.new)?)$/

/**
 * Removes the blocks, whatever condition they are in. Nothing else in the folder is touched.
 */
export function eraseBlocks(blocks_dir: string): void {
  removeFiles(blocks_dir, BLOCKS_FILE)
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
    // Whatever else is wrong with it goes away with it.
    if (isInUse(error)) throw error
  }
  removeFiles(state_dir, STATE_FILE)
}

function removeFiles(folder: string, pattern: RegExp): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (pattern.test(name)) rmSync(join(folder, name), { force: true })
  }
}
