/**
 * The time for which a thread was ready to run while the processors were busy with others. Billed
 * time is the elapsed time minus this time.
 *
 * Linux counts it exactly, at the end of each wait (proc(5): the second number of
 * /proc/PID/schedstat, nanoseconds), while the CPU time beside it is up to a tick old. A read takes
 * 1.5 µs. Other systems do not report it, and elapsed time is billed.
 */
import { openSync, readSync } from 'node:fs'

const SPACE = 0x20
const ZERO = 0x30

/** @throws what the system says where there is no such file */
function openWaits(): () => number {
  // The name means the thread that opens it.
  const file = openSync('/proc/thread-self/schedstat', 'r')
  const bytes = Buffer.alloc(96)
  return () => {
    const end = readSync(file, bytes, 0, bytes.length, 0)
    let waited_ns = 0
    for (let at = bytes.indexOf(SPACE) + 1; at < end && bytes[at]! >= ZERO; at++) {
      waited_ns = waited_ns * 10 + bytes[at]! - ZERO
    }
    return Math.round(waited_ns / 1000)
  }
}

let waits: (() => number) | undefined

/** Microseconds since the start of the thread; always 0 if the system does not report them. */
export function threadWait(): number {
  if (waits === undefined) {
    try {
      waits = openWaits()
      waits()
    } catch {
      // The file does not exist or cannot be read: another system, or a restricted container.
      waits = () => 0
    }
  }
  return waits()
}
