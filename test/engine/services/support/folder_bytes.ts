import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes of the files of a folder whose names begin with a name, without those of folders in it. */
export function folderBytes(folder: string, name = ''): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(name))
    .reduce((sum, entry) => sum + statSync(join(folder, entry.name)).size, 0)
}
