import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postJson } from './post_json.ts'

/** `PROGRAM` names another build of this node, to compare with. */
const PROGRAM =
  process.env.PROGRAM ?? fileURLToPath(new URL('../../bin/pronghorn.js', import.meta.url))

/** A node as users run it: the compiled program in a process of its own. */
export class NodeProcess {
  readonly url: string
  readonly data_dir: string
  private readonly child: ChildProcess

  get pid(): number {
    return this.child.pid!
  }

  private constructor(child: ChildProcess, url: string, data_dir: string) {
    this.child = child
    this.url = url
    this.data_dir = data_dir
  }

  /** Starts a node on a free port; answers when it says that it is ready.
   *  @param data_dir an existing folder, or a new temporary one */
  static async start(
    args: readonly string[] = [],
    data_dir?: string,
    log_level = 'warn',
  ): Promise<NodeProcess> {
    const folder = data_dir ?? mkdtempSync(join(tmpdir(), 'pronghorn-bench-'))
    const fixed = ['--data-dir', folder, '--http-server-address', '127.0.0.1:0']
    const child = spawn(
      process.execPath,
      [PROGRAM, ...fixed, '--quiet', '--log-level', log_level, ...args],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const url = await new Promise<string>((resolve, reject) => {
      let text = ''
      child.stdout!.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const found = /listening on\s+(http:\S+)/.exec(text)?.[1]
        if (found) resolve(found)
      })
      child.once('exit', (code, signal) =>
        reject(new Error(`the node ended (${code ?? signal}) before it was ready: ${text}`)),
      )
    })
    return new NodeProcess(child, url, folder)
  }

  post<T>(path: string, body: unknown = {}): Promise<T> {
    return postJson(this.url + path, body)
  }

  /** Ends the node; its folder goes unless it is to be used again. */
  async stop(remove = true): Promise<void> {
    this.child.kill('SIGTERM')
    if (this.child.exitCode === null) await once(this.child, 'exit')
    if (remove) rmSync(this.data_dir, { recursive: true, force: true })
  }
}
