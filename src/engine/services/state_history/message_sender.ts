import { WebSocket } from 'ws'

/** A message is sent in fragments of about so many bytes. */
const FRAGMENT = 256 * 1024

/**
 * Sends messages in fragments, each when the system has taken the one before. So a message of any size needs the
 * memory of a fragment.
 */
export class MessageSender {
  private readonly socket: WebSocket
  private waiting: Uint8Array[] = []
  private waiting_bytes = 0

  constructor(socket: WebSocket) {
    this.socket = socket
  }

  /** Whether the connection is open. */
  get is_open(): boolean {
    return this.socket.readyState === WebSocket.OPEN
  }

  /** Sends a whole message of text. @throws Error if the connection has ended */
  sendText(text: string): Promise<void> {
    return this.write(text, { binary: false, fin: true })
  }

  /** Sends a whole binary message. @throws Error if the connection has ended */
  send(bytes: Uint8Array): Promise<void> {
    return this.write(bytes, { binary: true, fin: true })
  }

  /** Adds bytes to the present binary message. @throws Error if the connection has ended */
  async add(bytes: Uint8Array): Promise<void> {
    this.waiting.push(bytes)
    this.waiting_bytes += bytes.length
    if (this.waiting_bytes >= FRAGMENT) await this.flush(false)
  }

  /** Ends the present message. @throws Error if the connection has ended */
  finish(): Promise<void> {
    return this.flush(true)
  }

  private flush(fin: boolean): Promise<void> {
    const bytes = this.waiting.length === 1 ? this.waiting[0]! : Buffer.concat(this.waiting)
    this.waiting = []
    this.waiting_bytes = 0
    return this.write(bytes, { binary: true, fin })
  }

  private write(
    data: string | Uint8Array,
    options: { binary: boolean; fin: boolean },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.send(data, options, (error) => (error ? reject(error) : resolve()))
    })
  }
}
