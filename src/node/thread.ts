/** The thread that the node runs on. It is told to stop, and tells what is to be printed. */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { ChainError } from '../engine/index.ts'
import { OptionError, parseOptions } from '../options/parse.ts'
import { readyText } from './banner.ts'
import { createLog } from './log.ts'
import { Node, logLevel } from './node.ts'

export interface ThreadData {
  argv: string[]
  version: string
  package_folder: string
}

export interface ThreadMessage {
  /** For standard output. */
  print?: string
  /** For standard error. */
  complain?: string
}

const STANDARD_ERROR = 2

/** Resolves when the node has stopped. */
async function run({ argv, version, package_folder }: ThreadData): Promise<void> {
  const stopped = new Promise<void>((resolve) => parentPort!.once('message', () => resolve()))
  const values = parseOptions(argv)
  // Written at once and by this thread: what is logged before a crash must be there after it.
  const log = createLog(logLevel(values), (line) => writeSync(STANDARD_ERROR, line))
  const node = await Node.start(values, { version, package_folder, log })
  tell({ print: readyText(node, version) })
  await Promise.race([stopped, node.ended])
  await node.stop()
}

function tell(message: ThreadMessage): void {
  parentPort!.postMessage(message)
}

try {
  await run(workerData as ThreadData)
} catch (error) {
  // What the user can mend is told in one line; everything else is a fault, with its stack.
  if (!(error instanceof OptionError) && !(error instanceof ChainError)) throw error
  tell({ complain: `pronghorn: ${error.message}\n` })
  process.exitCode = error instanceof OptionError ? 2 : 1
}
parentPort!.close()
