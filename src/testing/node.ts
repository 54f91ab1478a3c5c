import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEVELOPMENT_PRIVATE_KEY, type Answer, type Body } from '../engine/index.ts'
import type { AccountConfig, PronghornConfig } from '../project/config.ts'
import { Sender, type Executed } from '../sending/sender.ts'
import { HttpNode } from './http_node.ts'

/** How a node is started: what is prepared on its chain, and where it keeps its data. */
export interface StartOptions extends Omit<PronghornConfig, 'watch'> {
  /** Folder of the data, which is kept. Default: a temporary one, which stop() removes. */
  data_dir?: string
  /** The port of the API on 127.0.0.1. Default: a free one. */
  port?: number
  /** More arguments, as on the command line. */
  args?: readonly string[]
  /** Whether the log of the node is shown on standard error. Default: only if the node ends by itself. */
  show_log?: boolean
  /** Time for the start, in milliseconds. Default 60000. */
  start_timeout_ms?: number
}

/** An action with its arguments. */
export interface TestingAction {
  /** The account of the contract. */
  account: string
  name: string
  /** By the ABI. */
  data?: object
  /** Default: that of the transaction. */
  authorization?: string | readonly string[]
}

/** Who signs a transaction. */
export interface SendOptions {
  /** Private keys. Default: those of the actors, or the development key. */
  keys?: readonly string[]
}

/** The program: this file is src/testing/node.ts, or dist/library/testing.js. */
const PROGRAM = fileURLToPath(new URL('../../bin/pronghorn.js', import.meta.url))
const PACKAGE_TEMPORARY = 'pronghorn-'
const DEFAULT_TIMEOUT_MS = 60_000
/** What is kept of the log. */
const MAX_LOG = 64 * 1024

/**
 * Starts a node with a new development chain, prepared as the options say, and waits until it is ready. It does not
 * warm up, unless the options have `warm-up`: tests would pay more for that than they gain. The node
 * ends with `stop()`, and also when this process ends in any way: it reads a pipe whose other end only this process
 * has.
 * @throws Error with the log of the node if it does not start
 */
export async function startNode(options: StartOptions = {}): Promise<TestingNode> {
  const { data_dir, port = 0, args = [], options: node_options = {}, show_log = false } = options
  const folder = mkdtempSync(join(tmpdir(), PACKAGE_TEMPORARY))
  const project = join(folder, 'project.json')
  writeFileSync(project, JSON.stringify(projectOf(options, node_options)))
  const argv = [
    PROGRAM,
    '--stop-with-stdin',
    ...['--data-dir', data_dir ?? join(folder, 'data'), '--project', project],
    ...['--http-server-address', `127.0.0.1:${port}`],
    ...args,
  ]
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'pipe'] })
  try {
    const url = await ready(child, show_log, options.start_timeout_ms ?? DEFAULT_TIMEOUT_MS)
    return new TestingNode(child, folder, url, options.accounts)
  } catch (error) {
    await end(child, folder)
    throw error
  }
}

/** The paths of contracts are relative to the folder of this process, not of the file. */
function projectOf(
  { accounts, deploy, actions, bios }: StartOptions,
  options: PronghornConfig['options'],
): PronghornConfig & { folder: string } {
  return {
    folder: process.cwd(),
    options: { 'warm-up': false, ...options },
    ...(accounts ? { accounts } : {}),
    ...(deploy ? { deploy } : {}),
    ...(actions ? { actions } : {}),
    ...(bios === undefined ? {} : { bios }),
  }
}

/** Waits for the text that a node prints when it is ready; gives its URL. */
function ready(child: ChildProcess, show_log: boolean, timeout_ms: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    let log = ''
    const fail = (why: string): void => {
      clearTimeout(timer)
      reject(new Error(`the node did not start: ${why}\n${log}`))
    }
    const timer = setTimeout(() => fail(`it is not ready after ${timeout_ms} ms`), timeout_ms)
    child.once('error', (error) => fail(error.message))
    child.once('close', (code, signal) => fail(`it ended with ${signal ?? `code ${code}`}`))
    child.stderr!.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-MAX_LOG)
      if (show_log) process.stderr.write(chunk)
    })
    child.stdout!.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-MAX_LOG)
      const [, url] = /listening on +(\S+)\n[^]*producing for/.exec(printed) ?? []
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })
}

/** Ends the process and waits until it is gone; then its folder is removed. */
async function end(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
  }
  rmSync(folder, { recursive: true, force: true })
}

/** A node that {@link startNode} started. */
export class TestingNode {
  /** The address of its API, such as http://127.0.0.1:40123. */
  readonly url: string
  /** The process of the node. */
  readonly pid: number
  /** Private keys of accounts, by name; others have the development key. */
  readonly keys: Readonly<Record<string, string>>
  /** The private key of eosio, and of accounts without a key of their own. Everybody knows it. */
  readonly development_key = DEVELOPMENT_PRIVATE_KEY
  private readonly child: ChildProcess
  private readonly folder: string
  private readonly http: HttpNode
  private readonly sender: Sender
  private stopping: Promise<void> | undefined

  /** @internal */
  constructor(
    child: ChildProcess,
    folder: string,
    url: string,
    accounts: StartOptions['accounts'],
  ) {
    this.child = child
    this.folder = folder
    this.url = url
    this.pid = child.pid!
    this.keys = keysOf(accounts)
    this.http = new HttpNode(url)
    this.sender = new Sender(this.http)
    // A test that forgot stop() can end: the node ends with it.
    child.unref()
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      ;(stream as unknown as { unref(): void }).unref()
    }
  }

  /**
   * Sends actions as one transaction, signed with the keys of their actors, and waits until it was executed.
   * @param authorization `alice@active`, or `alice` for the same; default: the account of each action
   * @throws NodeError with the text of the contract; nothing has changed
   */
  send(
    actions: TestingAction | readonly TestingAction[],
    authorization?: string | readonly string[],
    { keys }: SendOptions = {},
  ): Promise<Executed> {
    const plain = [actions].flat().map((action: TestingAction) => ({
      account: action.account,
      name: action.name,
      data: action.data ?? {},
      authorization: [action.authorization ?? authorization ?? action.account]
        .flat()
        .map(permissionOf),
    }))
    const actors = plain.flatMap((action) => action.authorization.map(({ actor }) => actor))
    return this.sender.send(
      plain,
      keys ?? actors.map((actor) => this.keys[actor] ?? DEVELOPMENT_PRIVATE_KEY),
    )
  }

  /**
   * The rows of a table, at most 1000.
   * @param scope default: the account of the contract
   */
  async rows<Row = Record<string, unknown>>(
    code: string,
    table: string,
    scope: string = code,
  ): Promise<Row[]> {
    const { rows } = await this.ask('get_table_rows', {
      code,
      scope,
      table,
      json: true,
      limit: 1000,
    })
    return rows as Row[]
  }

  /** Asks an operation of the chain group: `ask('get_account', { account_name: 'alice' })`. @throws NodeError */
  ask<Name extends Parameters<HttpNode['ask']>[0]>(
    operation: Name,
    body: Body<Name>,
  ): Promise<Answer<Name>> {
    return this.http.ask(operation, body)
  }

  /** Stops the node and removes its temporary folder; it is gone when this resolves. May be called again. */
  stop(): Promise<void> {
    return (this.stopping ??= end(this.child, this.folder))
  }
}

function keysOf(accounts: StartOptions['accounts']): Record<string, string> {
  if (accounts === undefined || Array.isArray(accounts)) return {}
  return Object.fromEntries(
    Object.entries(accounts as Record<string, AccountConfig>).flatMap(([name, { key }]) =>
      key === undefined ? [] : [[name, key]],
    ),
  )
}

function permissionOf(text: string): { actor: string; permission: string } {
  const [actor = '', permission = 'active'] = text.split('@')
  return { actor, permission }
}
