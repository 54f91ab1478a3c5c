import { connect, type Socket } from 'node:net'
import { until } from './wait.ts'

/** A client that writes bytes to a server on this machine, and keeps the text that it receives. */
export class SocketClient {
  readonly socket: Socket
  text = ''
  is_closed = false

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1')
    this.socket.setNoDelay(true)
    this.socket.on('data', (chunk: Buffer) => (this.text += chunk.toString()))
    this.socket.on('close', () => (this.is_closed = true)).on('error', () => {})
  }

  /** Waits until the connection is closed. */
  closed(): Promise<unknown> {
    return until('the connection is closed', () => this.is_closed)
  }
}
