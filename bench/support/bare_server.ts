import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('bare_server_process.mjs', import.meta.url))

/** A bare node:http server that answers the same bytes to everything: what ratios are made with. */
export class BareServer {
  readonly url: string
  private readonly child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.child = child
  }

  static async start(answer: string): Promise<BareServer> {
    const file = join(tmpdir(), `pronghorn-answer-${process.pid}`)
    writeFileSync(file, answer)
    const child = spawn(process.execPath, [PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [port] = (await once(child.stdout!, 'data')) as [Buffer]
    return new BareServer(`http://127.0.0.1:${Number(port.toString())}`, child)
  }

  async stop(): Promise<void> {
    this.child.kill()
    await once(this.child, 'exit')
  }
}
