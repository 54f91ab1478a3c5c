import { join } from 'node:path'
import { checkServices, systemClock, type Engine, type Log } from '../engine/index.ts'
import type { OptionValues } from '../options/parse.ts'
import { CONTROL, Server, checkAddresses, isLoopback, type ServerOptions } from '../server/index.ts'
import { nodeSettings, type NodeSettings } from './engine_settings.ts'
import { startValues, withAdvice } from './loaded_state.ts'
import { openEngine } from './open_engine.ts'
import { prepareFolders } from './prepare_folders.ts'
import type { RunningEngine } from './running_engine.ts'
import { serverOptions } from './server_settings.ts'

/** The last block that makes a development chain; docs/development_chain.md. */
const LAST_BOOT_BLOCK = 4

/** The parts that the node gets from outside. */
export interface NodeDependencies {
  version: string
  /** Folder of the package, with generated/ in it. */
  package_folder: string
  log: Log
  /** Asked while the node starts: whether it shall stop instead. */
  stopping?: () => boolean
}

/** One running node: an engine and the server in front of it. */
export class Node {
  readonly settings: NodeSettings
  readonly server: Server
  /** Resolves when the node must stop by itself: a height was reached, or the disk failed. */
  readonly ended: Promise<'done' | 'failed'>
  /** The chain has had no transactions of users. */
  readonly is_new_chain: boolean
  private readonly running: RunningEngine

  private constructor(
    settings: NodeSettings,
    running: RunningEngine,
    server: Server,
    ended: Promise<'done' | 'failed'>,
  ) {
    const { head, is_fork } = running.current.chain
    // The first state of a fork has no block.
    this.is_new_chain = is_fork ? !head.has_block : head.block_num <= LAST_BOOT_BLOCK
    this.settings = settings
    this.running = running
    this.server = server
    this.ended = ended
  }

  /** The engine of now: where a saved state is loaded, another one takes its place. */
  get engine(): Engine {
    return this.running.current
  }

  /**
   * Opens the data folder, replays blocks if requested, opens the addresses, and starts production.
   * Addresses are checked first: if one is in use, no chain is created.
   * @throws OptionError for errors that the user can correct, ListenError for an address
   */
  static start(given: OptionValues, deps: NodeDependencies): Promise<Node> {
    return withAdvice(given, deps.log, () => Node.open(given, deps))
  }

  private static async open(given: OptionValues, deps: NodeDependencies): Promise<Node> {
    const { log, version, package_folder, stopping } = deps
    const values = startValues(given)
    const settings = nodeSettings(values, version, systemClock.now())
    const server_options = serverOptions(values, settings)
    await checkAddresses(server_options)
    await checkServices(settings.engine.services)
    await prepareFolders(settings, values, log)
    let end: (why: 'done' | 'failed') => void = () => {}
    const ended = new Promise<'done' | 'failed'>((resolve) => (end = resolve))
    const engine = await openEngine(given, settings, version, {
      clock: systemClock,
      log,
      end,
      ...(stopping ? { stopStart: stopping } : {}),
    })
    try {
      const documents = join(package_folder, 'generated')
      const server = await Server.start(server_options, { engine, documents, log })
      logServed(server_options, server.addresses, log)
      logIdle(settings, log)
      engine.onReplaced = (reads) => server.chainReplaced(reads)
      const node = new Node(settings, engine, server, ended)
      engine.start()
      return node
    } catch (error) {
      await engine.close()
      throw error
    }
  }

  /** Answers requests in progress, writes all data and unlocks the folder. */
  async stop(): Promise<void> {
    await this.running.endWaits()
    await this.server.stop()
    await this.running.close()
  }
}

/** Logs the categories that each address serves, which depend on several options. */
function logServed({ listeners }: ServerOptions, addresses: readonly string[], log: Log): void {
  if (listeners.length === 0) log('info', 'the node listens on no address')
  listeners.forEach(({ address, categories }, i) => {
    log('info', `${addresses[i]} serves ${[...categories].join(', ')}`)
    if (isLoopback(address)) return
    const control = CONTROL.filter((name) => categories.has(name))
    log(
      'warn',
      `${addresses[i]} can be reached from other machines, and has no authentication` +
        (control.length > 0 ? `: all that reach it can use ${control.join(' and ')}` : ''),
    )
  })
}

/** A node that produces nothing may be what was meant, or not. */
function logIdle({ idle_reason }: NodeSettings, log: Log): void {
  if (idle_reason === undefined) return
  log(
    'warn',
    `this node produces nothing: no producer-name is given, and ${idle_reason}. ` +
      'To produce, give producer-name and signature-provider',
  )
}
