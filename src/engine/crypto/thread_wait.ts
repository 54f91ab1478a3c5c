/**
 * The time for which a thread did not run: the processors were busy with others, or it waited for another thread,
 * as in a collection of garbage. Billed time is the elapsed time minus this time.
 *
 * Linux has the thread's CPU time and its waits for a processor in /proc/PID/schedstat (proc(5), nanoseconds). The
 * first is up to a tick old, some milliseconds, unless the thread asks for the CPU time of its process immediately
 * before (kernel/sched/cputime.c, thread_group_cputime, from Linux 4.10 on). Both together take 4 µs. Where this
 * does not hold, the waits for a processor alone are known. Other systems report neither, and elapsed time is billed.
 */
import { openSync, readSync } from 'node:fs'

const SPACE = 0x20
const ZERO = 0x30

/** Looks at the CPU time, between which the thread works for so many milliseconds, to see whether it grows. */
const TRIALS = 3
const TRIAL_MS = 0.05

/** A reader of the two numbers, in nanoseconds. */
interface Schedule {
  ran_ns: number
  waited_ns: number
  read(): void
}

/** @throws what the system says where there is no such file */
function openSchedule(): Schedule {
  // The name means the thread that opens it.
  const file = openSync('/proc/thread-self/schedstat', 'r')
  const bytes = Buffer.alloc(96)
  let end = 0
  let at = 0
  const number = (): number => {
    let value = 0
    for (; at < end && bytes[at]! >= ZERO; at++) value = value * 10 + bytes[at]! - ZERO
    while (at < end && bytes[at] === SPACE) at++
    return value
  }
  const schedule: Schedule = {
    ran_ns: 0,
    waited_ns: 0,
    read: () => {
      end = readSync(file, bytes, 0, bytes.length, 0)
      at = 0
      schedule.ran_ns = number()
      schedule.waited_ns = number()
    },
  }
  return schedule
}

/** @returns the time to which the numbers belong, in milliseconds */
function readExactly(schedule: Schedule): number {
  process.cpuUsage()
  const now_ms = performance.now()
  schedule.read()
  return now_ms
}

/** Whether the CPU time is up to date: then it grows in the shortest time. */
function isExact(schedule: Schedule): boolean {
  for (let trial = 0; trial < TRIALS; trial++) {
    readExactly(schedule)
    const before = schedule.ran_ns
    const end = performance.now() + TRIAL_MS
    while (performance.now() < end);
    readExactly(schedule)
    if (schedule.ran_ns <= before) return false
  }
  return true
}

/** How long the thread has not run, up to a time; microseconds. */
interface Reading {
  now_us: number
  waited_us: number
}

/** @throws what the system says where it does not report these times */
function openReadings(): () => Reading {
  const schedule = openSchedule()
  schedule.read()
  if (!isExact(schedule)) {
    return () => {
      schedule.read()
      return { now_us: performance.now() * 1000, waited_us: schedule.waited_ns / 1000 }
    }
  }
  return () => {
    const now_us = readExactly(schedule) * 1000
    return { now_us, waited_us: now_us - schedule.ran_ns / 1000 }
  }
}

let read: (() => Reading) | undefined
/** The time of the last reading of this thread's work. */
let read_at_us = -Infinity

function reading(): Reading {
  if (read === undefined) {
    try {
      read = openReadings()
    } catch {
      // The file does not exist or cannot be read: another system, or a restricted container.
      read = () => ({ now_us: performance.now() * 1000, waited_us: 0 })
    }
  }
  return read()
}

/**
 * Microseconds for which this thread has not run; always 0 if the system does not report it. Differences of two
 * readings mean something, to some microseconds.
 */
export function threadWait(): number {
  return Math.round(reading().waited_us)
}

/** Microseconds for which this thread has run; differences of two readings mean something. */
export function threadWork(): number {
  const { now_us, waited_us } = reading()
  read_at_us = now_us
  return now_us - waited_us
}

/** Microseconds after which other programs may have used the processor's caches. */
const PAUSE_US = 1000

/**
 * The same, for the start of a measure. A reading after a pause takes 40 µs instead of 6, and most of that is before its
 * end: a second one follows it.
 */
export function threadWorkAfterPause(): number {
  const before_us = read_at_us
  const work_us = threadWork()
  return read_at_us - before_us > PAUSE_US ? threadWork() : work_us
}
