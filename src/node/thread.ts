/** The thread that the node runs on. It is told to stop, and tells what is to be printed. */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { ChainError } from '../engine/index.ts'
import { OptionError, parseOptions } from '../options/parse.ts'
import { hideKeys } from '../options/secrets.ts'
import { readyText } from './banner.ts'
import { createLog } from './log.ts'
import { Node, logFormat, logLevel } from './node.ts'

export interface ThreadData {
  argv: string[]
  version: string
  package_folder: string
  /** Not 0: the node shall stop. Seen at once, even by work that lets no message in. */
  stop: Int32Array
}

export interface ThreadMessage {
  /** For standard output. */
  print?: string
  /** For standard error. */
  complain?: string
}

const STANDARD_ERROR = 2
/** A line is dropped when standard error takes nothing for so long. */
const LOG_PATIENCE_MS = 100

/** Resolves when the node has stopped. */
async function run({ argv, version, package_folder, stop }: ThreadData): Promise<void> {
  const stopping = () => Atomics.load(stop, 0) !== 0
  const stopped = new Promise<void>((resolve) => parentPort!.once('message', () => resolve()))
  const values = parseOptions(argv)
  // Written at once and by this thread: what is logged before a crash must be there after it.
  const log = createLog(logLevel(values), logFormat(values), writeLine)
  const deps = { version, package_folder, log, stopping }
  const node = await Node.start(values, deps).catch((error: unknown) => {
    if (stopping() && error instanceof ChainError) return log('info', error.message)
    throw error
  })
  if (!node) return
  tell({ print: readyText(node, version) })
  const why = await Promise.race([stopped, node.ended])
  await node.stop()
  if (why === 'failed') process.exitCode = 1
}

/** Tries until whoever reads takes the line; one that reads no more costs the log, not the node. */
function writeLine(line: string): void {
  const end_ms = Date.now() + LOG_PATIENCE_MS
  let rest = Buffer.from(line)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(STANDARD_ERROR, rest))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE' || (code === 'EAGAIN' && Date.now() > end_ms)) return
      if (code !== 'EAGAIN') throw error
    }
  }
}

function tell(message: ThreadMessage): void {
  parentPort!.postMessage(message)
}

try {
  await run(workerData as ThreadData)
} catch (error) {
  // What the user can mend is told in one line; everything else is a fault, with its stack.
  if (!(error instanceof OptionError) && !(error instanceof ChainError)) throw error
  tell({ complain: `pronghorn: ${hideKeys(error.message)}\n` })
  process.exitCode = error instanceof OptionError ? 2 : 1
}
parentPort!.close()
