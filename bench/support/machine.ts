import { cpus, totalmem } from 'node:os'

/** One line about where the numbers come from. */
export function machineText(): string {
  const all = cpus()
  const memory_gib = Math.round(totalmem() / 2 ** 30)
  const model = all[0]?.model.trim() ?? 'unknown processor'
  return `${all.length} x ${model}, ${memory_gib} GiB, Node.js ${process.version}, ${process.platform}`
}
