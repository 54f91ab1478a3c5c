import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../test/support/free_port.ts'
import { postJson } from './post_json.ts'

const PLUGINS = ['http_plugin', 'producer_plugin', 'chain_api_plugin', 'producer_api_plugin']
const PAUSE_MS = 5
/** A snapshot of ten million rows takes more than a minute on a machine with other work. */
const LIMIT_MS = 300_000

/** The program of the reference that `NODEOS` names; undefined if it names none. */
export const NODEOS = process.env.NODEOS

/** The reference (nodeos v1.2.2) on a new chain with the development key, in a process of its own. */
export class ReferenceProcess {
  readonly url: string
  /** From the command to the first answered get_info. */
  readonly start_s: number
  private readonly child: ChildProcess
  private readonly folder: string

  private constructor(child: ChildProcess, url: string, folder: string, start_s: number) {
    this.child = child
    this.url = url
    this.folder = folder
    this.start_s = start_s
  }

  get pid(): number {
    return this.child.pid!
  }

  /** @param program the path of nodeos
   *  @param more further arguments */
  static async start(program: string, more: readonly string[] = []): Promise<ReferenceProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'pronghorn-reference-'))
    const address = `127.0.0.1:${await freePort()}`
    const folders = ['--data-dir', folder, '--config-dir', folder]
    const plugins = PLUGINS.flatMap((name) => ['--plugin', `eosio::${name}`])
    const http = ['--http-server-address', address, '--http-threads', '2']
    const args = [...folders, '-e', '-p', 'eosio', ...plugins, ...http, ...more]
    const begin = performance.now()
    const child = spawn(program, args, { stdio: 'ignore' })
    const url = `http://${address}`
    while (!(await answers(url))) {
      if (child.exitCode !== null || performance.now() - begin > LIMIT_MS) {
        child.kill()
        throw new Error(`${program} ${args.join(' ')} does not answer`)
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    const start_s = (performance.now() - begin) / 1000
    const node = new ReferenceProcess(child, url, folder, start_s)
    await node.firstBlock()
    return node
  }

  /** Clients take the time from the head: that of the genesis is long ago. */
  private async firstBlock(): Promise<void> {
    for (;;) {
      const { head_block_num } = await this.post<{ head_block_num: number }>('/v1/chain/get_info')
      if (head_block_num > 1) return
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return postJson(this.url + path, body)
  }

  /** Ends it and removes its folder. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM')
    if (this.child.exitCode === null) await once(this.child, 'exit')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/v1/chain/get_info`)).ok
  } catch (error) {
    // Nothing listens there yet.
    if (error instanceof TypeError) return false
    throw error
  }
}
