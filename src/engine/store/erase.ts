import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Rocks, isInUse } from './rocks.ts'

/**
 * Removes the state and the blocks from a data folder, whatever condition they are in.
 * @throws database_exception while another process uses them
 */
export async function eraseData(data_dir: string): Promise<void> {
  const state = join(data_dir, 'state')
  if (existsSync(state)) await refuseInUse(state)
  for (const name of ['state', 'blocks']) {
    rmSync(join(data_dir, name), { recursive: true, force: true })
  }
}

async function refuseInUse(state: string): Promise<void> {
  try {
    await (await Rocks.open(state)).close()
  } catch (error) {
    // Whatever else is wrong with it goes away with it.
    if (isInUse(error)) throw error
  }
}
