/**
 * The program: options and signals. The node runs on a separate thread (node/thread.ts), because
 * contracts may recurse deeper than the stack of the first thread on some systems, and because only
 * the heap of a separate thread can be sized by the program.
 */
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { OptionError } from './engine/options/option_error.ts'
import { startThread } from './engine/start_thread.ts'
import type { ThreadData, ThreadMessage } from './node/thread.ts'
import { visibleText } from './node/visible_text.ts'

/** The package's folder: this file is src/main.ts in it, or dist/program/main.js. */
const PACKAGE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url),
)

/** Options that ask for a text, not for a node. A config file cannot. */
const TEXT_OPTIONS = [
  ...['--help', '--version', '--full-version', '--print-config', '--print-default-config'],
  ...['--print-genesis-json', '--extract-genesis-json'],
]

/** The option by which a node ends with the program that started it. */
const STOP_WITH_INPUT = '--stop-with-stdin'

/** A stop that takes longer than this is cut off: what was announced is on disk already. */
const STOP_LIMIT_MS = 30_000

/** Room for 250 nested calls with the largest frames. */
const STACK_MB = 8
/** Three semispaces: most objects of a transaction die before the second collection. */
const YOUNG_GENERATION_MB = 192
/** Rows are outside of the heap; this bounds what the heap may take of the machine. */
const OLD_GENERATION_SHARE = 0.75

/**
 * Runs the node until a signal stops it.
 * @param argv the arguments after the program's name
 */
export async function main(argv: readonly string[]): Promise<void> {
  outliveReaders()
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8')) as {
    version: string
  }
  try {
    // The options and commands load the engine, which this thread of a node does not need.
    if (argv[0] === 'snapshot') {
      const { runSnapshotCommand } = await import('./node/snapshot_command.ts')
      return await runSnapshotCommand(argv.slice(1))
    }
    if (argv[0] === 'init') {
      const { runInitCommand } = await import('./project/init.ts')
      return print(runInitCommand(argv.slice(1), version))
    }
    if (argv.some(mayAskForText)) {
      const { requestedText } = await import('./node/text_commands.ts')
      const { parseOptions } = await import('./options/parse.ts')
      const text = requestedText(parseOptions(argv), version)
      if (text !== undefined) return print(text)
    }
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    print(`pronghorn: ${visibleText(error.message)}\n`, process.stderr)
    process.exitCode = 2
    return
  }
  const stop = new Int32Array(new SharedArrayBuffer(4))
  process.exitCode = await runThread({ argv: [...argv], version, package_folder: PACKAGE, stop })
}

/** True for options of texts, also abbreviated, and for few others. */
function mayAskForText(word: string): boolean {
  return /^-[hv]$/.test(word) || TEXT_OPTIONS.some((name) => isShort(word.split('=')[0]!, name))
}

/** True for this option, and for its abbreviations: an ambiguous one is refused when options are read. */
function stopsWithInput(word: string): boolean {
  return isShort(word, STOP_WITH_INPUT)
}

const isShort = (word: string, name: string): boolean => word.length > 2 && name.startsWith(word)

/** @returns the exit code */
function runThread(workerData: ThreadData): Promise<number> {
  const thread = startThread('./node/thread', import.meta.url, {
    workerData,
    resourceLimits: {
      stackSizeMb: STACK_MB,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      maxOldGenerationSizeMb: Math.floor((memory() / 2 ** 20) * OLD_GENERATION_SHARE),
    },
  })
  stopOnSignals(thread, workerData.stop, workerData.argv.some(stopsWithInput))
  return new Promise((resolve, reject) => {
    thread.on('message', (message: ThreadMessage) => {
      if (message.print !== undefined) print(message.print)
      if (message.complain !== undefined) print(message.complain, process.stderr)
    })
    thread.on('error', reject)
    thread.on('exit', resolve)
  })
}

/** Bytes that this process may use: of the machine, or of the container that it is in. */
function memory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}

/**
 * The first SIGINT or SIGTERM stops the node; a second one ends the process at once. SIGHUP, at which
 * the reference reads how it logs, changes nothing.
 */
function stopOnSignals(thread: Worker, flag: Int32Array, with_input: boolean): void {
  const stop = () => {
    if (Atomics.exchange(flag, 0, 1) !== 0) process.exit(1)
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    thread.postMessage('stop')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('SIGHUP', () => {})
  if (with_input) {
    const end = () => {
      if (Atomics.load(flag, 0) === 0) stop()
    }
    process.stdin.on('end', end).on('error', end).resume()
    // The thread keeps the process, not the input: it ends with the node.
    process.stdin.unref()
  }
}

function print(text: string, to: NodeJS.WriteStream = process.stdout): void {
  to.write(text)
}

/** A reader that does not read the output loses text, but does not stop the node. */
function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}
