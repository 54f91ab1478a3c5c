import { constants, copyFileSync, existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './file.ts'

/**
 * Renames an unusable file to `NAME.lost-1`, or the first free number, so that it is kept.
 * @returns the new path; undefined when there is no such file
 */
export function setAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  const kept = freeName(path)
  renameSync(path, kept)
  syncFolder(dirname(path))
  return kept
}

/** Keeps a copy of a file in the same way. Returns its path. */
export function copyAside(path: string): string {
  const kept = freeName(path)
  copyFileSync(path, kept, constants.COPYFILE_FICLONE)
  return kept
}

function freeName(path: string): string {
  let number = 1
  while (existsSync(`${path}.lost-${number}`)) number++
  return `${path}.lost-${number}`
}
