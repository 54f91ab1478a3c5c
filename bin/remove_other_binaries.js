/**
 * Runs after the installation: deletes the builds of RocksDB for other systems (140 of 160 MB), which the
 * package manager cannot leave out. `npm install --ignore-scripts` keeps them.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Deletes what this system does not load from a folder with one folder for each system.
 * @param {string} prebuilds
 * @param {string} system such as linux-x64
 * @returns {string[]} what was deleted; nothing where there is no build for the system
 */
export function removeOtherBinaries(prebuilds, system) {
  const own = join(prebuilds, system)
  if (!existsSync(own)) return []
  const others = readdirSync(prebuilds).filter((name) => name !== system)
  // Node.js loads *.node; *.bare is for another runtime.
  const own_others = readdirSync(own).filter((name) => !name.endsWith('.node'))
  if (own_others.length === readdirSync(own).length) return []
  const removed = [...others, ...own_others.map((name) => join(system, name))]
  for (const name of removed) rmSync(join(prebuilds, name), { recursive: true })
  return removed
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const entry = createRequire(import.meta.url).resolve('rocksdb-native')
    removeOtherBinaries(join(dirname(entry), 'prebuilds'), `${process.platform}-${process.arch}`)
  } catch (error) {
    // They only take room: the installation is complete without this.
    console.log(`the builds of rocksdb-native for other systems were not deleted: ${error.message}`)
  }
}
