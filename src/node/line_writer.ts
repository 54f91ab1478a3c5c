import { isSystemError } from '../engine/index.ts'

/** A line is dropped when its reader takes nothing for so long. */
const PATIENCE_MS = 100

/**
 * Writes complete lines synchronously, so that lines before a crash are not lost. A reader that
 * stops reading or is full cannot block the node: the line is dropped, and later lines are dropped
 * without waiting until a write succeeds again.
 * @param write returns the number of bytes that were accepted, as `fs.writeSync`
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
