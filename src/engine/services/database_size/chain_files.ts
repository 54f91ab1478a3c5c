import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Chain } from '../../chain/chain.ts'
import type { StoredFiles } from '../stored_files.ts'

/** Folders of a chain on the disk. Each has some hundred files at most. */
export interface ChainFolders {
  readonly blocks_dir: string
  readonly state_dir: string
}

/** The files of the blocks, with the checksums and the reversible ones, and of the stored state. */
export function chainFiles(chain: Chain, { blocks_dir, state_dir }: ChainFolders): StoredFiles[] {
  return [
    {
      name: 'blocks',
      bytes: bytesIn(blocks_dir),
      first_block_num: chain.earliest_available_block_num,
      last_block_num: chain.fork_head.block_num,
    },
    { name: 'state', bytes: bytesIn(state_dir) },
  ]
}

/** The bytes of the files in a folder, without its subfolders. */
function bytesIn(folder: string): number {
  let sum = 0
  for (const name of readdirSync(folder)) {
    // RocksDB removes files meanwhile.
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    if (found?.isFile()) sum += found.size
  }
  return sum
}
