/**
 * Temporary files of the tests in memory: on a disk, its syncs and removals take a tenth of the processor time and more
 * waits. What a killed process has written stays there as on a disk, and power cuts are simulated by the tests.
 */
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
/** The tests need less than a gigabyte at a time. */
const NEEDED_BYTES = 4 * 1024 ** 3

/** Sets TMPDIR for the processes that are started from now on, unless the caller has set it; removed at the end. */
export function keepFilesInMemory() {
  if (process.env.TMPDIR !== undefined || !isUsable()) return
  // A short name: paths of sockets have 107 characters at most.
  const folder = mkdtempSync(`${MEMORY}/tests-`)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** Whether programs and libraries run from a folder: tests install some. Containers often forbid it. */
export function runsPrograms(folder, mounts) {
  const last = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, place]) => place === folder)
  return last !== undefined && !last[3].split(',').includes('noexec')
}

function isUsable() {
  try {
    accessSync(MEMORY, constants.W_OK)
    if (!runsPrograms(MEMORY, readFileSync('/proc/self/mounts', 'utf8'))) return false
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}
