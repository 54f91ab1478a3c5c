import { join } from 'node:path'
import { Engine, systemClock } from '../engine/index.ts'
import { OptionError, type OptionValues } from '../options/parse.ts'
import { Server, isLoopback, type ServerOptions } from '../server/index.ts'
import { nodeSettings, type NodeSettings } from './engine_settings.ts'
import { LOG_FORMATS, LOG_LEVELS, type Log, type LogFormat, type LogLevel } from './log.ts'
import { prepareFolders } from './prepare_folders.ts'
import { serverOptions } from './server_settings.ts'

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
  readonly engine: Engine
  readonly server: Server
  /** Resolves when the node wants to stop by itself: a height was reached, or the disk failed. */
  readonly ended: Promise<'done' | 'failed'>

  private constructor(
    settings: NodeSettings,
    engine: Engine,
    server: Server,
    ended: Promise<'done' | 'failed'>,
  ) {
    this.settings = settings
    this.engine = engine
    this.server = server
    this.ended = ended
  }

  /**
   * Opens the data folder, replays what is asked for, listens, and begins to produce.
   * @throws OptionError for everything that the user can mend
   */
  static async start(values: OptionValues, deps: NodeDependencies): Promise<Node> {
    const { log, version, package_folder, stopping } = deps
    refuseUnknownPlugins(values)
    const settings = nodeSettings(values, version, systemClock.now())
    const server_options = serverOptions(values, settings.data_dir)
    await prepareFolders(settings, values, log)
    let end: (why: 'done' | 'failed') => void = () => {}
    const ended = new Promise<'done' | 'failed'>((resolve) => (end = resolve))
    const engine = await Engine.open(settings.engine, {
      clock: systemClock,
      log,
      end,
      ...(stopping ? { stopStart: stopping } : {}),
    })
    try {
      const documents = join(package_folder, 'generated')
      const server = await Server.start(server_options, { engine, documents, log }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === undefined) throw error
          throw new OptionError(`cannot listen: ${error.message}`)
        },
      )
      warnOffLoopback(server_options, server.addresses, log)
      engine.start()
      return new Node(settings, engine, server, ended)
    } catch (error) {
      await engine.close()
      throw error
    }
  }

  /** Answers what is under way, writes everything out and releases the folder. */
  async stop(): Promise<void> {
    await this.engine.endWaits()
    await this.server.stop()
    await this.engine.close()
  }
}

export function logLevel(values: OptionValues): LogLevel {
  const level = values.text('log-level') as LogLevel
  if (LOG_LEVELS.includes(level)) return level
  throw new OptionError(`log-level is one of ${LOG_LEVELS.join(', ')}, not "${level}"`)
}

export function logFormat(values: OptionValues): LogFormat {
  const format = values.text('log-format') as LogFormat
  if (LOG_FORMATS.includes(format)) return format
  throw new OptionError(`log-format is one of ${LOG_FORMATS.join(', ')}, not "${format}"`)
}

/** The plugins of the reference that this node always has. */
const PLUGINS = [
  'http',
  'chain',
  'chain_api',
  'producer',
  'producer_api',
  'db_size_api',
  'prometheus',
  'signature_provider',
]

function refuseUnknownPlugins(values: OptionValues): void {
  for (const name of values.list('plugin')) {
    const match = /^(?:eosio::)?(\w+)_plugin$/.exec(name)
    if (match && PLUGINS.includes(match[1]!)) continue
    throw new OptionError(`plugin ${name} is refused: this node has nothing that does its work`)
  }
}

function warnOffLoopback(
  { listeners }: ServerOptions,
  addresses: readonly string[],
  log: Log,
): void {
  listeners.forEach(({ address, categories }, i) => {
    if (isLoopback(address)) return
    const control = categories.has('producer_rw') ? ', production control included' : ''
    log(
      'warn',
      `${addresses[i]} is open to other machines${control}, and asks nobody for a password`,
    )
  })
}
