/**
 * A connection whose socket is on an HTTP thread, as the chain's thread sees it: node:http serves it like a
 * socket of its own.
 */
import { Duplex } from 'node:stream'
import { TAKEN_STEP, WINDOW } from './messages.ts'
import type { ConnectionAddresses, TunnelMessage } from './messages.ts'

/** The other end of a tunnel. Bytes under way in each direction are bounded. */
export class TunnelSocket extends Duplex {
  readonly localAddress: string | undefined
  readonly localPort: number | undefined
  readonly remoteAddress: string | undefined
  readonly remotePort: number | undefined
  readonly remoteFamily: string | undefined
  bytesRead = 0
  bytesWritten = 0
  private readonly id: number
  private readonly post: (message: TunnelMessage) => void
  /** Bytes that were read, but not yet reported as taken. */
  private taken = 0
  /** Bytes that the thread has not taken, and the write that waits for it. */
  private under_way = 0
  private waiting: (() => void) | undefined
  /** Whether the thread knows of the end of the connection. */
  private is_closed = false

  constructor(id: number, addresses: ConnectionAddresses, post: (message: TunnelMessage) => void) {
    super({ allowHalfOpen: true, decodeStrings: false })
    this.id = id
    this.post = post
    this.localAddress = addresses.localAddress
    this.localPort = addresses.localPort
    this.remoteAddress = addresses.remoteAddress
    this.remotePort = addresses.remotePort
    this.remoteFamily = addresses.remoteFamily
  }

  /** A message of the thread about this connection. */
  receive(message: TunnelMessage): void {
    if (message.kind === 'data') this.takeIn(message.data as Uint8Array)
    else if (message.kind === 'end') this.push(null)
    else if (message.kind === 'taken') this.wereTaken(message.bytes)
    else this.endNow()
  }

  /** As that of a socket: ends the connection when everything is sent. */
  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  /** The limits of time are those of {@link Connections}. */
  setTimeout(): this {
    return this
  }

  /** Does nothing: the HTTP thread sets the options of its socket. */
  setNoDelay(): this {
    return this
  }

  /** Does nothing: the HTTP thread sets the options of its socket. */
  setKeepAlive(): this {
    return this
  }

  /** Does nothing: the socket is on the HTTP thread. */
  ref(): this {
    return this
  }

  /** Does nothing: the socket is on the HTTP thread. */
  unref(): this {
    return this
  }

  override _read(): void {
    this.reportTaken(0)
  }

  override _write(data: Buffer | string, encoding: string, done: () => void): void {
    const length =
      typeof data === 'string' ? Buffer.byteLength(data, encoding as 'utf8') : data.length
    this.bytesWritten += length
    this.under_way += length
    const { id } = this
    if (typeof data !== 'string') this.post({ kind: 'data', id, data: new Uint8Array(data) })
    else if (encoding === 'latin1' || encoding === 'utf8') {
      this.post({ kind: 'data', id, data, encoding })
    } else {
      this.post({
        kind: 'data',
        id,
        data: new Uint8Array(Buffer.from(data, encoding as BufferEncoding)),
      })
    }
    if (this.under_way < WINDOW) done()
    else this.waiting = done
  }

  override _final(done: () => void): void {
    this.post({ kind: 'end', id: this.id })
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const kind = this.writableFinished ? 'close' : 'abort'
    if (!this.is_closed) this.post({ kind, id: this.id })
    this.is_closed = true
    done(error)
  }

  private takeIn(data: Uint8Array): void {
    this.bytesRead += data.length
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
    if (this.push(bytes)) this.reportTaken(data.length)
    else this.taken += data.length
  }

  private reportTaken(more: number): void {
    this.taken += more
    if (this.taken < TAKEN_STEP || this.is_closed) return
    this.post({ kind: 'taken', id: this.id, bytes: this.taken })
    this.taken = 0
  }

  private wereTaken(bytes: number): void {
    this.under_way -= bytes
    const { waiting } = this
    this.waiting = undefined
    waiting?.()
  }

  private endNow(): void {
    this.is_closed = true
    this.destroy()
  }
}
