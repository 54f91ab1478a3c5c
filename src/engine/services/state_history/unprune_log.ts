import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { packPositions, readAt, syncFolder, writeAt } from '../../store/file.ts'
import { SUFFIX, type EntryHeader } from './log_format.ts'

/** Bytes that are copied at once. */
const PIECE = 4 * 1024 * 1024

/**
 * Replaces a log from which blocks were removed by one that begins with the first block that is left. A crash leaves
 * the old log, or the new one; an index that does not fit it is written again when it is opened.
 * @param entries of the blocks that are left, in their order
 */
export function writeUnpruned(stem: string, fd: number, entries: Iterable<EntryHeader>): void {
  const paths = ['log', 'index'].map((extension) => `${stem}.${extension}`)
  const [log_fd, index_fd] = paths.map((path) => openSync(`${path}.new`, 'w')) as [number, number]
  try {
    let size = 0
    let count = 0
    for (const entry of entries) {
      const position = packPositions([size])
      writeAt(index_fd, 8 * count++, position)
      size = copy(fd, log_fd, size, entry)
      writeAt(log_fd, size, position)
      size += SUFFIX
    }
    fsyncSync(log_fd)
    fsyncSync(index_fd)
    for (const path of paths) renameSync(`${path}.new`, path)
  } catch (error) {
    for (const path of paths) rmSync(`${path}.new`, { force: true })
    throw error
  } finally {
    closeSync(log_fd)
    closeSync(index_fd)
  }
  syncFolder(dirname(stem))
}

/** Copies an entry without its position; answers the size of the new file. */
function copy(from: number, to: number, size: number, { position, end }: EntryHeader): number {
  for (let at = position; at < end - SUFFIX; at += PIECE) {
    const bytes = readAt(from, at, Math.min(PIECE, end - SUFFIX - at))
    writeAt(to, size, bytes)
    size += bytes.length
  }
  return size
}
