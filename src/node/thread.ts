/** The thread that runs the node. The main thread tells it to stop, and prints its messages. */
import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { parentPort, workerData } from 'node:worker_threads'
import { ChainError, ListenError, isSystemError } from '../engine/index.ts'
import { LOG_FORMATS, LOG_LEVELS } from '../options/node_options.ts'
import { OptionError } from '../options/parse.ts'
import { PreparationError } from '../project/prepare.ts'
import { hideKeys } from '../engine/options/secrets.ts'
import { readyText } from './banner.ts'
import { firstBlock } from './first_block.ts'
import { lineWriter } from './line_writer.ts'
import { createLog } from './log.ts'
import { Node } from './node.ts'
import { prepareChain } from './prepare_chain.ts'
import { readStart } from './project_settings.ts'
import { visibleText } from './visible_text.ts'

/** The start data of the node's thread. */
export interface ThreadData {
  argv: string[]
  version: string
  package_folder: string
  /** Not 0: the node shall stop. Seen at once, even by work that lets no message in. */
  stop: Int32Array
}

/** A message from the node's thread to the main thread. */
export interface ThreadMessage {
  /** For standard output. */
  print?: string
  /** For standard error. */
  complain?: string
}

const STANDARD_ERROR = 2

/** Resolves when the node has stopped. */
async function run({ argv, version, package_folder, stop }: ThreadData): Promise<void> {
  const stopping = () => Atomics.load(stop, 0) !== 0
  // The listener keeps this thread alive until it closes the port.
  const stopped = new Promise<void>((resolve) => parentPort!.on('message', () => resolve()))
  const { values, project, found_file } = await readStart(argv)
  // Done by this thread, which still works when the main thread is busy or has ended.
  const write = lineWriter((bytes) => writeSync(STANDARD_ERROR, bytes))
  const style = { format: values.choice('log-format', LOG_FORMATS), colors: showsColors() }
  const log = createLog(values.choice('log-level', LOG_LEVELS), style, write)
  const deps = { version, package_folder, log, stopping }
  const node = await Node.start(values, deps).catch((error: unknown) => {
    if (stopping() && error instanceof ChainError) return log('info', error.message)
    throw error
  })
  if (!node) return
  const endWatch = await prepareChain(node, project, found_file, log).catch(
    async (error: unknown) => {
      await node.stop()
      throw error
    },
  )
  if (node.settings.development) await Promise.race([firstBlock(node.engine), stopped])
  tell({ print: readyText(node, version, project) })
  const why = await Promise.race([stopped, node.ended])
  log('info', 'stopping')
  endWatch()
  await node.stop()
  const failed = why === 'failed'
  // Scripts that start nodes look for the reference's words. spring: programs/nodeos/main.cpp
  const end = failed ? '' : ', successfully exiting'
  log('info', `stopped at block ${node.engine.chain.head.block_num}${end}`)
  if (failed) process.exitCode = 1
}

/** https://no-color.org */
function showsColors(): boolean {
  return isatty(STANDARD_ERROR) && !process.env['NO_COLOR']
}

function tell(message: ThreadMessage): void {
  parentPort!.postMessage(message)
}

try {
  await run(workerData as ThreadData)
} catch (error) {
  // Errors that the user can correct are reported in one line. All others are faults and have their
  // stack.
  const can_be_mended = [OptionError, ChainError, ListenError, PreparationError].some(
    (kind) => error instanceof kind,
  )
  if (!can_be_mended && !isSystemError(error)) throw error
  tell({ complain: `pronghorn: ${visibleText(hideKeys((error as Error).message))}\n` })
  process.exitCode = error instanceof OptionError ? 2 : 1
}
parentPort!.close()
