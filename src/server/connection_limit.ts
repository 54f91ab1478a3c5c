import { existsSync, readFileSync } from 'node:fs'

/** Open files that the node needs in addition to connections: its store, blocks, snapshots. */
const RESERVED = 1024

/**
 * Connections that one address may have, so that all of them together leave files to open for the
 * node: one that cannot open any can neither vote nor store.
 * @param wanted what the operator allows on each address
 * @param addresses how many there are
 * @param files that this process may have open
 */
export function connectionLimit(wanted: number, addresses: number, files: number): number {
  const left = files - Math.min(RESERVED, Math.floor(files / 2))
  return Math.max(1, Math.min(wanted, Math.floor(left / Math.max(1, addresses))))
}

/**
 * The number of files that this process may have open, or undefined if the system does not report
 * it.
 */
export function openFilesLimit(): number {
  const path = '/proc/self/limits'
  if (!existsSync(path)) return Infinity
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(path, 'utf8')) ?? []
  return soft === undefined ? Infinity : Number(soft)
}
