import { connect, type Socket } from 'node:net'
import { decodeMessage, encodeMessage } from '../../../src/engine/protocol/net/codec.ts'
import { FrameReader, frame } from '../../../src/engine/protocol/net/framing.ts'
import type { Handshake, NetMessage } from '../../../src/engine/protocol/net/message.ts'
import type { TestNode } from '../../support/test_node.ts'
import { until } from '../../support/wait.ts'

/** A program that speaks to a node, and not always as it should. */
export class Stranger {
  readonly received: NetMessage[] = []
  readonly socket: Socket
  /** Answers belong between messages: where a part of one is sent, they would be taken for the rest of it. */
  answers_pings = true
  private readonly node: TestNode

  constructor(node: TestNode) {
    this.node = node
    const [address] = node.engine.services.net.network.addresses()
    this.socket = connect(address!.port, '127.0.0.1')
    const frames = new FrameReader()
    this.socket.on('data', (chunk) => {
      for (const message of frames.push(chunk)) this.take(decodeMessage(message))
    })
    // The node may end the connection while this writes.
    this.socket.on('error', () => this.socket.destroy())
  }

  /** A ping is answered, so that the node takes it for alive. */
  private take(message: NetMessage): void {
    this.received.push(message)
    if (!this.answers_pings || message.kind !== 'time' || message.org !== 0n) return
    this.send({ kind: 'time', org: message.xmt, rec: message.xmt, xmt: message.xmt, dst: 0n })
  }

  get is_closed(): boolean {
    return this.socket.closed
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes)
  }

  send(...messages: NetMessage[]): void {
    for (const message of messages) this.write(frame(encodeMessage(message)))
  }

  /** Waits until the node has ended the connection. */
  async closed(): Promise<void> {
    await until('the connection ends', () => this.is_closed)
  }

  /** Waits for a message of this kind. */
  async message<K extends NetMessage['kind']>(kind: K): Promise<Extract<NetMessage, { kind: K }>> {
    const found = await until(kind, () => this.received.find((message) => message.kind === kind))
    return found as Extract<NetMessage, { kind: K }>
  }

  end(): void {
    this.socket.destroy()
  }

  /** The handshake of a node with the same chain. */
  handshake(fields: Partial<Handshake> = {}): Handshake {
    const { chain_id, head, last_irreversible: root } = this.node.engine.chain
    return {
      kind: 'handshake',
      network_version: 0x04b5 + 11,
      chain_id,
      node_id: crypto.getRandomValues(new Uint8Array(32)),
      key: new Uint8Array(34),
      time: 1n,
      token: new Uint8Array(32),
      sig: new Uint8Array(66),
      p2p_address: 'stranger:1 - 0',
      fork_db_root_num: root.block_num,
      fork_db_root_id: root.id,
      fork_db_head_num: head.block_num,
      fork_db_head_id: head.id,
      os: 'linux',
      agent: 'stranger',
      generation: 1,
      ...fields,
    }
  }
}
