import type { Socket } from 'node:net'
import type { Rest } from './rest.ts'
import type { OpenCount } from './shared_counts.ts'

/**
 * The connections of one address on an HTTP thread. Their number is limited together with those of the other
 * threads. A new connection closes the one of this thread that has been idle for the longest time.
 */
export class ThreadConnections {
  /** The one that has waited longest for a request first; whether an answer is owed. */
  private readonly sockets = new Map<Socket, { is_direct: boolean; is_busy: boolean }>()
  private readonly max: number
  private readonly open: OpenCount
  private readonly rest: Pick<Rest, 'isActive'>
  private is_closing = false
  private onEmpty: (() => void) | undefined

  /** @param rest while the thread rests, each connection ends with its next answer */
  constructor(max: number, open: OpenCount, rest: Pick<Rest, 'isActive'>) {
    this.max = max
    this.open = open
    this.rest = rest
  }

  /** Number of connections of this thread. */
  get size(): number {
    return this.sockets.size
  }

  /** A client of a thread that rests opens another connection, which the chain's thread accepts. */
  endsWithAnswer(socket: Socket): boolean {
    // A request that has arrived meanwhile is answered first.
    return this.is_closing || (this.rest.isActive && socket.readableLength === 0)
  }

  /** Adds a new connection; returns false if it was closed. */
  add(socket: Socket): boolean {
    if (this.is_closing || (this.open.value >= this.max && !this.makeRoom())) {
      socket.destroy()
      return false
    }
    this.open.add(1)
    this.sockets.set(socket, { is_direct: true, is_busy: false })
    socket.on('close', () => {
      this.open.add(-1)
      this.sockets.delete(socket)
      if (this.sockets.size === 0) this.onEmpty?.()
    })
    return true
  }

  /** Does nothing: each connection is read directly from its start. */
  beginDirect(): void {}

  /** An answer is owed from now on, so the connection is not closed to make room. */
  waits(socket: Socket): void {
    this.setBusy(socket, true)
  }

  /** The answer has been sent; the connection waits for its next request. */
  answered(socket: Socket): void {
    this.setBusy(socket, false)
  }

  /** The chain's thread serves the connection from now on. */
  endDirect(socket: Socket): void {
    const connection = this.sockets.get(socket)
    if (connection) connection.is_direct = false
  }

  /** It waits the shortest time for a request now, or an answer is owed. */
  setBusy(socket: Socket, is_busy: boolean): void {
    const connection = this.sockets.get(socket)
    if (!connection) return
    connection.is_busy = is_busy
    this.sockets.delete(socket)
    this.sockets.set(socket, connection)
  }

  /** Takes no new connections and closes those that wait for a request; resolves when none is left. */
  close(): Promise<void> {
    this.is_closing = true
    // The chain's thread closes its own, and those that wait for an answer close after it.
    for (const [socket, { is_direct, is_busy }] of this.sockets) {
      if (is_direct && !is_busy) socket.destroySoon()
    }
    return new Promise((resolve) => {
      this.onEmpty = resolve
      if (this.sockets.size === 0) resolve()
    })
  }

  /** Closes all connections at once. */
  destroy(): void {
    for (const socket of this.sockets.keys()) socket.destroy()
  }

  private makeRoom(): boolean {
    for (const [socket, { is_busy }] of this.sockets) {
      if (is_busy || socket.writableLength > 0) continue
      socket.destroy()
      return true
    }
    return false
  }
}
