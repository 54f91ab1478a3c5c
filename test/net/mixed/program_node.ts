/** A node of any program that has the options and the API of nodeos, in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../support/free_port.ts'
import { ask } from '../../support/http.ts'
import { until } from '../../support/wait.ts'

/** The plugins that the reference needs for what the run asks of it. */
const PLUGINS = ['producer', 'chain', 'chain_api', 'http', 'net', 'net_api']

/** What a node says about its chain. */
export interface ChainInfo {
  head_block_num: number
  last_irreversible_block_num: number
  last_irreversible_block_id: string
  head_block_time: string
  chain_id: string
}

/** A program, and the arguments that come before its options. */
export interface Program {
  name: string
  command: string
  arguments: readonly string[]
}

/** A node with a folder, an address for clients and one for peers, which it keeps when it starts again. */
export class ProgramNode {
  readonly name: string
  readonly p2p_address: string
  private readonly program: Program
  private readonly folder: string
  private readonly url: string
  private child: ChildProcess | undefined

  private constructor(
    program: Program,
    name: string,
    place: { folder: string; http_port: number; p2p_port: number },
  ) {
    this.program = program
    this.name = `${name} (${program.name})`
    this.folder = place.folder
    this.url = `http://127.0.0.1:${place.http_port}`
    this.p2p_address = `127.0.0.1:${place.p2p_port}`
  }

  /** @param parent the folder in which the node gets one */
  static async create(program: Program, name: string, parent: string): Promise<ProgramNode> {
    const folder = mkdtempSync(join(parent, `${name}-`))
    mkdirSync(join(folder, 'data'))
    const http_port = await freePort()
    return new ProgramNode(program, name, { folder, http_port, p2p_port: await freePort() })
  }

  /** Starts the program on what is in its folder; resolves when it answers. */
  async start(argv: readonly string[], peers: readonly ProgramNode[] = []): Promise<void> {
    const options = [
      ...['--data-dir', join(this.folder, 'data')],
      ...['--config-dir', join(this.folder, 'config')],
      ...['--http-server-address', new URL(this.url).host],
      ...['--p2p-listen-endpoint', this.p2p_address],
      ...['--p2p-max-nodes-per-host', '100'],
      ...PLUGINS.flatMap((plugin) => ['--plugin', `eosio::${plugin}_plugin`]),
      ...peers.flatMap((peer) => ['--p2p-peer-address', peer.p2p_address]),
      ...argv,
    ]
    const { command, arguments: first } = this.program
    const log = createWriteStream(join(this.folder, 'log.txt'), { flags: 'a' })
    const child = spawn(command, [...first, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.pipe(log, { end: false })
    child.stderr.pipe(log, { end: false })
    this.child = child
    await until(`${this.name} answers; its log is ${join(this.folder, 'log.txt')}`, async () => {
      if (child.exitCode !== null) throw new Error(`${this.name} ended: see ${this.folder}/log.txt`)
      return (await this.tryInfo()) !== undefined
    })
  }

  get is_running(): boolean {
    return (
      this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null
    )
  }

  async info(): Promise<ChainInfo> {
    return (await ask(this.url, '/v1/chain/get_info')).body as ChainInfo
  }

  /** The id of a block, and its producer. */
  async block(block_num: number): Promise<{ id: string; producer: string }> {
    const { body } = await ask(this.url, '/v1/chain/get_block_info', { body: { block_num } })
    return body as { id: string; producer: string }
  }

  /** Submits a packed transaction, as JSON has it; the reference must execute it. */
  async send(transaction: object): Promise<void> {
    const { body, status } = await ask(this.url, '/v1/chain/send_transaction', {
      body: transaction,
    })
    if (status !== 202) throw new Error(`${this.name} answers ${status}: ${JSON.stringify(body)}`)
  }

  /** Whether an account exists. */
  async hasAccount(account_name: string): Promise<boolean> {
    const { status } = await ask(this.url, '/v1/chain/get_account', { body: { account_name } })
    return status === 200
  }

  /** Connects to another node. */
  async connect(other: ProgramNode): Promise<void> {
    await ask(this.url, '/v1/net/connect', { body: JSON.stringify(other.p2p_address) })
  }

  /** Ends the connection that this node made to another one. */
  async disconnect(other: ProgramNode): Promise<void> {
    await ask(this.url, '/v1/net/disconnect', { body: JSON.stringify(other.p2p_address) })
  }

  private async tryInfo(): Promise<ChainInfo | undefined> {
    try {
      return await this.info()
    } catch {
      // Nothing listens yet.
      return undefined
    }
  }

  /** Ends the process. @param signal SIGKILL: as a power cut would */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const { child } = this
    if (child === undefined || !this.is_running) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}
