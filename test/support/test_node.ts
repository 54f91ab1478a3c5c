/** A node in this process: engine in memory, server on a free port, answers checked. */
import { join } from 'node:path'
import type { Clock, Engine } from '../../src/engine/index.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import { startValues, withAdvice } from '../../src/node/loaded_state.ts'
import { openEngine } from '../../src/node/open_engine.ts'
import { prepareFolders } from '../../src/node/prepare_folders.ts'
import type { RunningEngine } from '../../src/node/running_engine.ts'
import { serverOptions } from '../../src/node/server_settings.ts'
import { parseOptions, type OptionValues } from '../../src/options/parse.ts'
import { Server, type ServerOptions } from '../../src/server/index.ts'
import { ask, type Answer, type AskOptions } from './http.ts'
import { NO_VOTE_PAUSE, withoutWarmUp } from './node_process.ts'
import { turnClock } from './turn_clock.ts'
import { until } from './wait.ts'

export const PACKAGE = join(import.meta.dirname, '../..')
const VERSION = '1.2.3'
/** Nothing is read from here or written to it. */
const NO_FOLDER = join(PACKAGE, 'no-such-folder')

export interface TestNodeOptions {
  /** Options of the command line. */
  argv?: readonly string[]
  /** Where it keeps what it has; absent: in memory. */
  folder?: string
  /** What no option says. */
  server?: Partial<ServerOptions>
  clock?: Clock
  /** Called when it listens, and before it has started. */
  onListening?: (engine: RunningEngine) => Promise<void>
  /** Gets the lines of the log, also if the start fails. */
  log?: string[]
  /** The folder of the contract and its page; absent: the package's. */
  documents?: string
}

function logTo(lines: string[]) {
  return (level: string, message: string) => void lines.push(`${level} ${message}`)
}

export class TestNode {
  readonly server: Server
  /** What was logged, each line with its level first. */
  readonly log: string[]
  private readonly running: RunningEngine

  private constructor(running: RunningEngine, server: Server, log: string[]) {
    this.running = running
    this.server = server
    this.log = log
  }

  /** The engine of now. */
  get engine(): Engine {
    return this.running.current
  }

  static async start(options: TestNodeOptions = {}): Promise<TestNode> {
    const folder = options.folder ?? NO_FOLDER
    const always = ['--data-dir', folder, '--validate-responses', NO_VOTE_PAUSE]
    const more = options.argv ?? []
    const argv = [...always, ...withoutWarmUp(more), ...more]
    if (!argv.some((arg) => arg.startsWith('--http-server-address'))) {
      argv.push('--http-server-address=127.0.0.1:0')
    }
    // They are for processes of their own: they keep the sockets on which they listen.
    if (!argv.some((arg) => arg.startsWith('--http-threads'))) argv.push('--http-threads=0')
    if (!argv.some((arg) => arg.startsWith('--p2p-listen-endpoint'))) {
      argv.push('--p2p-listen-endpoint=')
    }
    const given = parseOptions(argv)
    const lines = options.log ?? []
    return withAdvice(given, logTo(lines), () => TestNode.open(given, options, lines))
  }

  private static async open(
    given: OptionValues,
    options: TestNodeOptions,
    lines: string[],
  ): Promise<TestNode> {
    const log = logTo(lines)
    const values = startValues(given)
    const clock = options.clock ?? turnClock()
    const node_settings = nodeSettings(values, VERSION, clock.now())
    if (options.folder === undefined) delete node_settings.engine.data_dir
    if (options.folder !== undefined) await prepareFolders(node_settings, values, log)
    const engine = await openEngine(given, node_settings, VERSION, {
      clock,
      log,
      end: () => log('end', ''),
    })
    try {
      const server = await Server.start(
        { ...serverOptions(values, node_settings), ...options.server },
        { engine, documents: options.documents ?? join(PACKAGE, 'generated'), log },
      )
      engine.onReplaced = (reads) => server.chainReplaced(reads)
      await options.onListening?.(engine)
      engine.start()
      return new TestNode(engine, server, lines)
    } catch (error) {
      await engine.close()
      throw error
    }
  }

  /** Of the first listener. */
  get url(): string {
    return this.server.addresses[0]!
  }

  get head_block_num(): number {
    return this.engine.chain.head.block_num
  }

  ask(path: string, options?: AskOptions): Promise<Answer> {
    return ask(this.url, path, options)
  }

  chain(operation: string, body?: unknown): Promise<Answer> {
    return this.ask(`/v1/chain/${operation}`, { body })
  }

  producer(operation: string, body?: unknown): Promise<Answer> {
    return this.ask(`/v1/producer/${operation}`, { body })
  }

  /** Waits until the head is above what it is now. */
  async nextBlock(): Promise<number> {
    const before = this.head_block_num
    return until('a next block', () => this.head_block_num > before && this.head_block_num)
  }

  /** Pauses production, and waits for the end of the block in work. */
  async pause(): Promise<void> {
    await this.producer('pause')
    await until(
      'the block in work is made',
      () => this.engine.services.production.loop.mode !== 'producing',
    )
  }

  /** What went wrong inside by the log; a test that ends with entries here fails. */
  get faults(): string[] {
    return this.log.filter((line) => /^(warn|error|end) /.test(line))
  }

  async stop(): Promise<void> {
    await this.running.endWaits()
    await this.server.stop()
    await this.running.close()
  }
}
