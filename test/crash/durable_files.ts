/**
 * What of a folder is on the disk itself: of each file what it was at its last sync, of each folder the
 * names that it had at its last sync. As strict as POSIX lets a file system be.
 */
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Contents by inode: the same file under whatever name. */
type Inodes = Map<number, Buffer>

export class DurableFiles {
  private readonly contents: Inodes = new Map()
  /** Inodes of the names of each folder. */
  private readonly folders = new Map<string, Map<string, number>>()

  /** Everything below a folder is on the disk. */
  addTree(folder: string): void {
    this.synced(folder)
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (statSync(path).isDirectory()) this.addTree(path)
      else this.synced(path)
    }
  }

  synced(path: string): void {
    const stat = statSync(path, { throwIfNoEntry: false })
    // It was replaced meanwhile.
    if (!stat) return
    if (!stat.isDirectory()) return void this.contents.set(stat.ino, readFileSync(path))
    const names = new Map<string, number>()
    for (const name of readdirSync(path)) names.set(name, statSync(join(path, name)).ino)
    this.folders.set(path, names)
  }

  /** Bytes within a file are zeros. */
  punched(path: string, from: number, length: number): void {
    this.contents.get(statSync(path).ino)?.fill(0, from, from + length)
  }

  /** The file begins anew; its number may have been another file's. */
  emptied(path: string): void {
    this.contents.delete(statSync(path).ino)
  }

  /**
   * Makes a folder what it is after a power cut.
   * @param names those that were synced, or all: a file system may write names before contents
   * @param tail what of bytes at the end that were not synced is there: nothing, or half
   */
  restore(folder: string, names: 'synced' | 'all', tail: 'none' | 'half'): void {
    const present = namesIn(folder)
    const known = this.folders.get(folder) ?? new Map<string, number>()
    const files = [...(names === 'synced' ? known : present)].filter(
      ([name]) => !isFolder(join(folder, name)),
    )
    const contents = files.map(
      ([name, inode]) =>
        [join(folder, name), this.contentOf(join(folder, name), inode, tail)] as const,
    )
    for (const name of present.keys()) {
      const path = join(folder, name)
      if (isFolder(path)) this.restore(path, names, tail)
      else rmSync(path)
    }
    for (const [path, bytes] of contents) writeFileSync(path, bytes)
  }

  private contentOf(path: string, inode: number, tail: 'none' | 'half'): Buffer {
    const synced = this.contents.get(inode) ?? Buffer.alloc(0)
    const is_there = existsSync(path) && statSync(path).ino === inode
    if (tail === 'none' || !is_there) return synced
    const now = readFileSync(path)
    const more = now.length - synced.length
    if (more <= 0) return synced
    return Buffer.concat([synced, now.subarray(synced.length, synced.length + (more >> 1))])
  }
}

function namesIn(folder: string): Map<string, number> {
  const names = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino] as const)
  return new Map(names)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
