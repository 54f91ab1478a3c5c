import { readFileSync, readdirSync } from 'node:fs'

/** Parts of a second in which Linux counts CPU time (USER_HZ). */
const TICKS = 100

/** CPU time of a process so far, user and system, all threads; seconds. Linux alone. */
export function cpuSeconds(pid: number): number {
  return secondsIn(`/proc/${pid}/stat`)
}

/** The same of each of its threads, by their ids. */
export function threadSeconds(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`
  return new Map(readdirSync(folder).map((id) => [id, secondsIn(`${folder}/${id}/stat`)]))
}

function secondsIn(file: string): number {
  const stat = readFileSync(file, 'utf8')
  // The name of the program, in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** Memory of a process that is in RAM now; MiB. Linux alone. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024
}
