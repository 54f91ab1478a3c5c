import { isSystemError } from '../engine/index.ts'

/** A line is dropped when its reader takes nothing for so long. */
const PATIENCE_MS = 100

/**
 * Writes lines at once and whole, so that what is logged before a crash is there after it. Whoever
 * reads no more, or has no room, costs the log and not the node: the line is dropped, and those after it
 * do not wait before something is taken again.
 * @param write answers how many bytes were taken, as `fs.writeSync`
 * @param now milliseconds
 */
export function lineWriter(
  write: (bytes: Uint8Array) => number,
  now: () => number = Date.now,
): (line: string) => void {
  let patience_ms = PATIENCE_MS
  return (line) => {
    const end_ms = now() + patience_ms
    let rest = Buffer.from(line)
    while (rest.length > 0) {
      try {
        rest = rest.subarray(write(rest))
        patience_ms = PATIENCE_MS
      } catch (error) {
        if (!isSystemError(error)) throw error
        if (error.code === 'EAGAIN' && now() < end_ms) continue
        patience_ms = 0
        return
      }
    }
  }
}
