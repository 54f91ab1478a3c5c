import { connect, type Socket } from 'node:net'
import type { TestNode } from './test_node.ts'

/** A client that asks one request after the other on one connection, and sees all bytes of the answers. */
export class KeptClient {
  readonly socket: Socket
  is_closed = false
  private text = Buffer.alloc(0)
  private take: ((answer: string) => void) | undefined

  constructor(url: string) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1')
    this.socket.setNoDelay(true)
    this.socket.on('data', (bytes: Buffer) => {
      this.text = Buffer.concat([this.text, bytes])
      const answer = this.complete()
      if (answer !== undefined) this.take?.(answer)
    })
    this.socket.on('close', () => (this.is_closed = true)).on('error', () => {})
  }

  /** A connection that an HTTP thread of a node has accepted, or the thread of its chain. */
  static async of(node: TestNode, on_thread: boolean): Promise<KeptClient> {
    for (;;) {
      const opened = new KeptClient(node.url)
      const { answered } = node.server.threads
      await opened.post('get_code_hash', { account_name: 'eosio' })
      if (node.server.threads.answered > answered === on_thread) return opened
      opened.socket.destroy()
    }
  }

  post(operation: string, body: unknown): Promise<string> {
    return this.ask('POST', `/v1/chain/${operation}`, body)
  }

  /** The whole answer, without its date. */
  async ask(method: string, path: string, body?: unknown): Promise<string> {
    const payload = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
    const length = Buffer.byteLength(payload)
    this.text = Buffer.alloc(0)
    const answered = new Promise<string>((resolve) => (this.take = resolve))
    this.socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${payload}`,
    )
    return (await answered).replace(/^date: .*\r\n/im, '')
  }

  private complete(): string | undefined {
    const end = this.text.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = this.text.toString('latin1', 0, end)
    const [, length] = /content-length: (\d+)/i.exec(head) ?? []
    return this.text.length === end + 4 + Number(length ?? 0) ? this.text.toString() : undefined
  }
}
