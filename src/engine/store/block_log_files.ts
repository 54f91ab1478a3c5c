/** The files of a block log: their names, and how many blocks they keep. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The log of a node that keeps blocks. spring: block_log.cpp ("blocks") */
export const BLOCKS = 'blocks'
/** The log of a node that keeps none: only the blocks that the state on the disk does not have yet. */
export const RECENT = 'recent'

/** A log, and what can be made again from it, in the order in which they are renamed. */
export const EXTENSIONS = ['check', 'index', 'log'] as const

/** How a block log is split, and which of its blocks are kept. All absent: one file keeps every block. */
export interface BlockLogFiles {
  /** The log is split after each block whose number is a multiple of this. */
  readonly stride?: number
  /** Absolute; absent: the folder of the log. */
  readonly retained_dir?: string
  /** Absolute; absent: surplus logs are removed. */
  readonly archive_dir?: string
  readonly max_retained_files?: number
  /** So many of the last blocks are kept; 0: none that the stored state has. */
  readonly keep_blocks?: number
}

/** Whether no blocks are kept that the stored state has. */
export function keepsNone({ keep_blocks }: BlockLogFiles): boolean {
  return keep_blocks === 0
}

/** A retained log by its name. */
export interface RetainedRange {
  /** The path without its extension. */
  readonly stem: string
  /** Block numbers. */
  readonly first: number
  readonly last: number
}

const RETAINED = new RegExp(`^((?:${BLOCKS}|${RECENT})-(\\d{1,10})-(\\d{1,10}))\\.log$`)

/** The retained logs in a folder, in the order of their blocks. */
export function retainedLogs(folder: string): RetainedRange[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((file) => {
      const match = RETAINED.exec(file)
      if (!match) return []
      const [, name, first, last] = match as unknown as [string, string, string, string]
      return [{ stem: join(folder, name), first: Number(first), last: Number(last) }]
    })
    .sort((a, b) => a.first - b.first)
}

/** The path of the log with the first blocks that are there; undefined when there is none. */
export function firstLog(blocks_dir: string, retained_dir = blocks_dir): string | undefined {
  const [retained] = retainedLogs(retained_dir)
  if (retained) return `${retained.stem}.log`
  return currentLog(blocks_dir)
}

/** The path of the log that blocks are appended to; undefined when there is none. */
export function currentLog(blocks_dir: string): string | undefined {
  return [BLOCKS, RECENT]
    .map((name) => join(blocks_dir, `${name}.log`))
    .find((path) => existsSync(path))
}
