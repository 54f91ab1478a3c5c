/**
 * The program: options -> node -> signals. Everything here is about the process; the parts are in
 * node/.
 */
import { readFileSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ChainError } from './engine/index.ts'
import { readyText } from './node/banner.ts'
import { createLog } from './node/log.ts'
import { Node, logLevel } from './node/node.ts'
import { helpText, printConfig } from './options/help.ts'
import { OptionError, parseOptions } from './options/parse.ts'

/** The package's folder: this file is src/main.ts in it, or dist/src/main.js. */
const PACKAGE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '..' : '../..', import.meta.url),
)

/** A stop that takes longer than this is cut off: what was announced is on disk already. */
const STOP_LIMIT_MS = 30_000

/**
 * Runs the node until a signal stops it.
 * @param argv the arguments after the program's name
 */
export async function main(argv: readonly string[]): Promise<void> {
  const { version } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8')) as {
    version: string
  }
  try {
    const values = parseOptions(argv)
    if (values.switch('help')) return print(helpText(version))
    if (values.switch('version')) return print(`v${version}\n`)
    if (values.switch('print-config')) return print(printConfig(values))
    const log = createLog(logLevel(values), (line) => writeSync(process.stderr.fd, line))
    const node = await Node.start(values, { version, package_folder: PACKAGE, log })
    print(readyText(node, version))
    stopOnSignals(node)
  } catch (error) {
    // What the user can mend is told in one line; everything else is a fault, with its stack.
    if (!(error instanceof OptionError) && !(error instanceof ChainError)) throw error
    process.stderr.write(`pronghorn: ${error.message}\n`)
    process.exitCode = error instanceof OptionError ? 2 : 1
  }
}

/** The first SIGINT or SIGTERM stops the node; a second one ends the process at once. */
function stopOnSignals(node: Node): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref()
    void node.stop().then(() => process.exit(process.exitCode ?? 0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  void node.ended.then(stop)
}

function print(text: string): void {
  process.stdout.write(text)
}
