/** The connections of an HTTP thread that the chain's thread serves: their sockets stay here. */
import type { Socket } from 'node:net'
import { TAKEN_STEP, WINDOW } from './messages.ts'
import type { TunnelMessage } from './messages.ts'

interface Tunnel {
  socket: Socket
  /** Bytes that the chain's thread has not taken. */
  under_way: number
  /** Bytes that were written to the client since the last report. */
  taken: number
}

/** Passes bytes between sockets and the chain's thread. Bytes under way in each direction are bounded. */
export class Tunnels {
  private readonly post: (message: TunnelMessage) => void
  /** Called when the chain's thread owes an answer on the connection, and when it has sent a part of one. */
  private readonly onBusy: (socket: Socket, is_busy: boolean) => void
  private readonly tunnels = new Map<number, Tunnel>()
  private last_id = 0

  constructor(
    post: (message: TunnelMessage) => void,
    onBusy: (socket: Socket, is_busy: boolean) => void,
  ) {
    this.post = post
    this.onBusy = onBusy
  }

  /** Gives a connection to the chain's thread. */
  open(socket: Socket, listener: number): void {
    const id = ++this.last_id
    const { localAddress, localPort, remoteAddress, remotePort, remoteFamily } = socket
    const addresses = { localAddress, localPort, remoteAddress, remotePort, remoteFamily }
    const tunnel: Tunnel = { socket, under_way: 0, taken: 0 }
    this.tunnels.set(id, tunnel)
    this.post({ kind: 'open', id, listener, addresses })
    socket.on('data', (bytes: Buffer) => {
      this.onBusy(socket, true)
      this.post({ kind: 'data', id, data: new Uint8Array(bytes) })
      tunnel.under_way += bytes.length
      if (tunnel.under_way >= WINDOW) socket.pause()
    })
    socket.on('end', () => this.post({ kind: 'end', id }))
    socket.on('error', ignore)
    socket.on('close', () => {
      if (this.tunnels.delete(id)) this.post({ kind: 'close', id })
    })
  }

  /** A message of the chain's thread. */
  receive(message: TunnelMessage): void {
    const tunnel = this.tunnels.get(message.id)
    if (!tunnel) return
    const { socket } = tunnel
    if (message.kind === 'data') this.write(message, tunnel)
    else if (message.kind === 'end') socket.end()
    else if (message.kind === 'taken') {
      tunnel.under_way -= message.bytes
      if (tunnel.under_way < WINDOW) socket.resume()
    } else if (message.kind === 'close') {
      this.tunnels.delete(message.id)
      socket.destroySoon()
    } else {
      this.tunnels.delete(message.id)
      socket.destroy()
    }
  }

  private write({ id, data, encoding }: TunnelMessage & { kind: 'data' }, tunnel: Tunnel): void {
    const { socket } = tunnel
    const length = typeof data === 'string' ? Buffer.byteLength(data, encoding) : data.length
    const taken = (): void => {
      tunnel.taken += length
      if (tunnel.taken < TAKEN_STEP) return
      this.post({ kind: 'taken', id, bytes: tunnel.taken })
      tunnel.taken = 0
    }
    this.onBusy(socket, false)
    if (typeof data === 'string') socket.write(data, encoding, taken)
    else socket.write(data, taken)
  }
}

/** An error closes the connection, which is all there is to do. */
function ignore(): void {}
