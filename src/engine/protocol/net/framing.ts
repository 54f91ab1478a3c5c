/**
 * Messages on a byte stream: each is led by its length, 32 bits little endian.
 * spring: plugins/net_plugin/net_plugin.cpp (start_read_message)
 */
import { check } from '../../errors.ts'
import { Reader } from '../reader.ts'
import { readMessageKind } from './codec.ts'
import type { MessageKind } from './message.ts'

/** Bytes of the length that leads a message. */
export const HEADER_SIZE = 4
/** Most bytes of a message. spring: def_send_buffer_size * 2 */
export const MAX_MESSAGE_SIZE = 8 * 1024 * 1024
/** Most bytes of the number of a kind. */
const MAX_KIND_SIZE = 5

const ID = 32
/** The most bytes of a message of each kind, with the byte of its kind. Other kinds have the limit of all messages. */
const SIZES: { readonly [K in MessageKind]?: number } = {
  // Three texts; longer ones than 384 bytes are answered by a go_away.
  handshake: 64 * 1024,
  chain_size: 1 + 2 * (4 + ID),
  go_away: 1 + 4 + ID,
  time: 1 + 4 * 8,
  // Two ids of blocks are used.
  notice: 64 * 1024,
  request: 64 * 1024,
  sync_request: 1 + 2 * 4,
  vote: 1024,
  block_nack: 1 + ID,
  block_notice: 1 + 2 * ID,
  // Eight addresses of 125 producers need 1.2 MB at most.
  gossip_bp_peers: 2 * 1024 * 1024,
}

/** Puts its length before a message. */
export function frame(message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(HEADER_SIZE + message.length)
  new DataView(framed.buffer).setUint32(0, message.length, true)
  framed.set(message, HEADER_SIZE)
  return framed
}

/** Memory for a message is reserved as its bytes come: this much at first, then twice as much as before. */
const FIRST_ROOM = 4096

/**
 * Cuts a byte stream into messages. What cannot be a message is refused when its length and kind
 * are there. A message that is announced and does not come needs no memory.
 */
export class FrameReader {
  /** The beginning of the next message, its length included. */
  private start = new Uint8Array(HEADER_SIZE + MAX_KIND_SIZE)
  private start_size = 0
  /** The message whose bytes are awaited, how many it has, and how many of them are there. */
  private body: Uint8Array | undefined
  private body_length = 0
  private body_size = 0

  /** Bytes of a message that is not complete. */
  get buffered(): number {
    return this.start_size + this.body_size
  }

  /** Memory of a message that is not complete; bytes. */
  get reserved(): number {
    return this.body?.length ?? 0
  }

  /**
   * The messages that end in this part of the stream, each a fresh array.
   * @throws ChainError plugin_exception for a length or a kind that cannot be
   */
  *push(chunk: Uint8Array): Generator<Uint8Array> {
    let at = 0
    while (at < chunk.length) {
      if (this.body === undefined) {
        at += this.fillStart(chunk.subarray(at))
        if (this.body === undefined) continue
      } else {
        at += this.fillBody(chunk.subarray(at))
      }
      const { body } = this
      if (this.body_size < this.body_length) continue
      this.body = undefined
      this.body_size = 0
      yield body
    }
  }

  /** Takes bytes until the length and the kind are there; then the message is awaited. */
  private fillStart(chunk: Uint8Array): number {
    const taken = Math.min(chunk.length, this.needed() - this.start_size)
    this.start.set(chunk.subarray(0, taken), this.start_size)
    this.start_size += taken
    if (this.start_size < this.needed()) return taken
    const length = this.length()
    const begin = this.start.subarray(HEADER_SIZE, this.start_size)
    const kind = readMessageKind(new Reader(begin))
    const limit = SIZES[kind] ?? MAX_MESSAGE_SIZE
    check(length <= limit, 'plugin_exception', () => `a ${kind} message of ${length} bytes`)
    this.body_length = length
    this.body = new Uint8Array(Math.min(length, Math.max(FIRST_ROOM, chunk.length)))
    this.body.set(begin)
    this.body_size = begin.length
    this.start_size = 0
    return taken
  }

  /** Bytes of the start of the message that decide whether it can be one. */
  private needed(): number {
    if (this.start_size < HEADER_SIZE) return HEADER_SIZE
    const length = this.length()
    check(
      length > 0 && length <= MAX_MESSAGE_SIZE,
      'plugin_exception',
      () => `incoming message length unexpected (${length})`,
    )
    // A kind is one byte unless it is written longer than it needs to be.
    const { start, start_size } = this
    const kind_size = start_size > HEADER_SIZE && start[HEADER_SIZE]! < 0x80 ? 1 : MAX_KIND_SIZE
    if (start_size === HEADER_SIZE) return HEADER_SIZE + 1
    return HEADER_SIZE + Math.min(length, kind_size)
  }

  private length(): number {
    return new DataView(this.start.buffer).getUint32(0, true)
  }

  private fillBody(chunk: Uint8Array): number {
    const taken = Math.min(chunk.length, this.body_length - this.body_size)
    const size = this.body_size + taken
    this.roomFor(size).set(chunk.subarray(0, taken), this.body_size)
    this.body_size = size
    return taken
  }

  /** The message with room for so many bytes. */
  private roomFor(size: number): Uint8Array {
    const body = this.body!
    if (size <= body.length) return body
    const larger = new Uint8Array(Math.min(this.body_length, Math.max(size, 2 * body.length)))
    larger.set(body.subarray(0, this.body_size))
    return (this.body = larger)
  }
}
