import { existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from './file.ts'

/**
 * Gives a file that is of no use any more another name, under which it is kept: `NAME.lost-1`, or the
 * first number that is free.
 * @returns the new path; undefined when there is no such file
 */
export function setAside(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  let number = 1
  while (existsSync(`${path}.lost-${number}`)) number++
  const kept = `${path}.lost-${number}`
  renameSync(path, kept)
  syncFolder(dirname(path))
  return kept
}
