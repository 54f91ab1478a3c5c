import { execFile } from 'node:child_process'
import type { Log } from '../../log.ts'

let is_reported = false

/**
 * Gives the disk space of bytes in the middle of a file back; they are zeros afterwards. Node.js has no function for
 * it, so the program `fallocate` does it; resolves when it has ended. Where that is not possible, the file keeps its
 * size on the disk, and the log says so once.
 */
export function punchHole(path: string, from: number, to: number, log: Log): Promise<void> {
  const place = ['--offset', String(from), '--length', String(to - from)]
  return new Promise((resolve) => {
    execFile('fallocate', ['--punch-hole', ...place, path], (error) => {
      if (error && !is_reported) {
        is_reported = true
        log('warn', `the space of old blocks in ${path} stays in use: ${error.message.trim()}`)
      }
      resolve()
    })
  })
}
