/** A reader of state history that sees every message. */
import { once } from 'node:events'
import WebSocket from 'ws'
import { until } from '../../../support/wait.ts'

/** Code of a connection that ended without a word. */
export const ABNORMAL = 1006

export class ShipReader {
  readonly socket: WebSocket
  /** The ABI, and messages in hex. */
  readonly received: (string | { text: string })[] = []
  closed: { code: number } | undefined
  onMessage: ((index: number) => void) | undefined

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: Buffer, is_binary) => {
      this.received.push(is_binary ? data.toString('hex') : { text: data.toString() })
      this.onMessage?.(this.received.length - 1)
    })
    socket.on('close', (code) => (this.closed = { code }))
    socket.on('error', () => undefined)
  }

  /** Connects, and waits for the ABI. */
  static async connect(url: string): Promise<ShipReader> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 1 << 30 })
    const reader = new ShipReader(socket)
    await once(socket, 'open')
    await reader.messages(1)
    return reader
  }

  send(hex: string): void {
    this.socket.send(Buffer.from(hex, 'hex'))
  }

  /** Waits until so many messages have come, the ABI included. */
  async messages(count: number): Promise<void> {
    await until(
      `${count} messages`,
      () => this.received.length >= count || this.closed !== undefined,
    )
  }

  /** Waits until the server has ended the connection. */
  async end(): Promise<{ code: number }> {
    return until('the end of the connection', () => this.closed)
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.socket.close()
    await this.end()
  }
}
