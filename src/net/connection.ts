/** A connection to a peer: its sockets, one after the other, and the bytes on them. */
import { connect, type Socket } from 'node:net'
import { ChainError } from '../engine/errors.ts'
import { FrameReader } from '../engine/protocol/net/framing.ts'
import { splitAddress } from './address.ts'
import { MAX_IMMEDIATE_CLOSES, MAX_WRITE_QUEUE } from './network_options.ts'
import type { Network } from './network_parts.ts'
import { Peer, type Link, type PeerSettings } from './peer.ts'
import { TURN_US, type Reading } from './read_turns.ts'
import { receiveMessage } from './receive/receive.ts'
import type { SendQueue } from './remote_peer.ts'
import { WriteQueue, type QueuedMessage } from './write_queue.ts'

/** The names of an address are tried in turn for this long each. */
const ATTEMPT_MS = 2500
/** A peer that gives one of these reasons may be connected to again. */
const RETRIED: readonly unknown[] = ['no_reason', 'wrong_version', 'benign_other', 'duplicate']
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i

/** Called when a connection ended. `reconnect`: it is to be tried again soon. */
export type ConnectionClosed = (connection: Connection, reconnect: boolean) => void

/** The address of the other end of a socket; IPv4 addresses are never written as IPv6 ones. */
export function remoteAddress(socket: Socket): string {
  return (socket.remoteAddress ?? '').replace(MAPPED_IPV4, '')
}

/** A connection to a peer. One that this node makes is made again when it ended. */
export class Connection implements Link, Reading {
  readonly peer: Peer
  bytes_received = 0
  bytes_sent = 0
  /** How often others were served first because messages of this peer took long. */
  turns_ended = 0
  /** How often this peer was not read for a while because too much of it waited for the chain. */
  reads_paused = 0
  /** Microseconds, as the times below. */
  last_bytes_received_us = 0
  last_bytes_sent_us = 0
  started_us = 0
  remote_ip = ''
  remote_port = 0
  private readonly network: Network
  private readonly onClosed: ConnectionClosed
  private socket: Socket | undefined
  private frames = new FrameReader()
  /** Messages of the last bytes that were not processed yet. */
  private unread: Iterator<Uint8Array> | undefined
  private queue = new WriteQueue()
  private is_writing = false
  /** What waits is sent in this turn of the event loop. */
  private is_write_scheduled = false
  /** Too much of the peer waits for the chain. */
  private is_held_back = false
  /** Ends of the connection without a message between them. */
  private immediate_closes = 0
  private last_close_us: number | undefined

  constructor(network: Network, settings: PeerSettings, onClosed: ConnectionClosed) {
    this.network = network
    this.onClosed = onClosed
    this.peer = new Peer(network, settings, this)
    this.peer.onReady = () => this.unread && this.network.turns.take(this)
  }

  /** Bytes that wait to be sent. */
  get waiting_bytes(): number {
    return this.queue.bytes
  }

  /** Uses a socket that another node opened. */
  accept(socket: Socket): void {
    this.use(socket)
    this.ready(socket)
  }

  /**
   * Connects to the peer, unless it must not be tried yet.
   * @returns false if it is never to be tried again
   */
  connect(): boolean {
    const { peer } = this
    const { state } = this.network
    if (!RETRIED.includes(peer.no_retry)) return false
    const { host, port } = splitAddress(peer.settings.address)!
    const back_off =
      this.immediate_closes > MAX_IMMEDIATE_CLOSES || peer.no_retry === 'benign_other'
    const { last_close_us } = this
    if (back_off && last_close_us !== undefined) {
      if (last_close_us > state.now_us - state.options.connection_cleanup_us) return true
    }
    peer.state = 'connecting'
    // A wrong version is tried once more; other reasons may have passed.
    if (peer.no_retry !== 'wrong_version') peer.no_retry = 'no_reason'
    const socket = connect({
      host,
      port: Number(port),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    })
    this.use(socket)
    socket.once('connect', () => this.ready(socket))
    return true
  }

  private use(socket: Socket): void {
    this.socket = socket
    this.frames = new FrameReader()
    this.unread = undefined
    this.is_held_back = false
    this.queue = new WriteQueue()
    this.is_writing = false
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.received(socket, chunk))
    socket.on('error', (error) => this.failed(socket, error))
    socket.on('close', () => {
      if (socket === this.socket) this.network.state.tasks.run(() => this.close(false))
    })
  }

  private ready(socket: Socket): void {
    const { state } = this.network
    this.started_us = state.now_us
    this.remote_ip = remoteAddress(socket)
    this.remote_port = socket.remotePort ?? 0
    state.tasks.run(() => this.peer.opened())
  }

  private failed(socket: Socket, error: Error): void {
    if (socket !== this.socket) return
    if (!this.peer.is_open) this.network.failed_connections += 1
    this.peer.log('info', `connection failed: ${error.message}`)
  }

  private received(socket: Socket, chunk: Uint8Array): void {
    if (socket !== this.socket) return
    this.bytes_received += chunk.length
    this.last_bytes_received_us = this.network.state.now_us
    if (this.queue.bytes > MAX_WRITE_QUEUE) {
      this.peer.log('warn', `does not read: ${this.queue.bytes} bytes wait for it`)
      return this.peerClose()
    }
    this.unread = this.frames.push(chunk)
    this.network.turns.take(this)
  }

  /** Processes messages until too much of the peer waits for the chain, or its turn is over. */
  read(): void {
    const { socket, unread } = this
    if (socket === undefined || unread === undefined) return
    const { state } = this.network
    const end_us = state.now_us + TURN_US
    try {
      while (!this.peer.busy) {
        this.is_held_back = false
        const next = unread.next()
        if (this.socket !== socket) return
        if (next.done === true) {
          this.unread = undefined
          socket.resume()
          return
        }
        this.immediate_closes = 0
        receiveMessage(this.peer, next.value)
        if (this.socket !== socket) return
        if (state.now_us >= end_us) return this.endTurn()
      }
      if (!this.is_held_back) this.reads_paused += 1
      this.is_held_back = true
      socket.pause()
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      this.peer.log('warn', `sent what cannot be a message: ${error.message}`)
      this.peerClose()
    }
  }

  private endTurn(): void {
    this.turns_ended += 1
    this.network.turns.wait(this)
  }

  /** Its messages wait for other work. */
  hold(): void {
    this.socket?.pause()
  }

  private peerClose(): void {
    this.network.state.tasks.run(() => this.peer.close(false))
  }

  send(framed: Uint8Array, queue: SendQueue, last: boolean): void {
    this.queue.add({ framed, last }, queue)
    if (this.queue.bytes > 2 * MAX_WRITE_QUEUE) {
      this.peer.log('warn', `does not read: ${this.queue.bytes} bytes wait for it`)
      return this.peer.close(false)
    }
    if (queue === 'transactions') this.writeSoon()
    else this.write()
  }

  /** Transactions that are executed in one turn of the event loop are sent together: each write wakes the peer. They are
   *  sent in the same turn, because the next one may begin with their block. */
  private writeSoon(): void {
    if (this.is_write_scheduled) return
    this.is_write_scheduled = true
    queueMicrotask(() => {
      this.is_write_scheduled = false
      this.write()
    })
  }

  clear(): void {
    this.queue.clear()
  }

  private write(): void {
    const { socket } = this
    if (socket === undefined || this.is_writing) return
    const messages = this.queue.take()
    if (messages.length === 0) return
    this.is_writing = true
    socket.cork()
    messages.forEach(({ framed }, i) => {
      const is_end = i === messages.length - 1
      socket.write(framed, is_end ? (error) => this.written(socket, messages, error) : undefined)
    })
    socket.uncork()
  }

  private written(
    socket: Socket,
    messages: readonly QueuedMessage[],
    error: Error | null | undefined,
  ): void {
    if (socket !== this.socket || error) return
    this.is_writing = false
    this.last_bytes_sent_us = this.network.state.now_us
    for (const { framed } of messages) this.bytes_sent += framed.length
    this.network.state.tasks.run(() => {
      if (messages.some(({ last }) => last)) return this.peer.close(false)
      this.peer.written()
    })
    this.write()
  }

  close(reconnect: boolean): void {
    const { socket } = this
    if (socket === undefined) return
    this.socket = undefined
    this.unread = undefined
    this.network.turns.leave(this)
    this.queue.clear()
    socket.destroy()
    this.immediate_closes += 1
    this.last_close_us = this.network.state.now_us
    this.peer.closed()
    this.onClosed(this, reconnect)
  }
}
