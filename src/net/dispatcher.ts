/**
 * Gives blocks, votes and transactions to peers, each once to a peer.
 * spring: plugins/net_plugin/net_plugin.cpp (dispatch_manager)
 */
import { SECOND_US } from '../engine/protocol/constants.ts'
import { blockNumFromId } from '../engine/protocol/block.ts'
import { toHex } from '../engine/protocol/hex.ts'
import { encodeMessage, kindNumber } from '../engine/protocol/net/codec.ts'
import { frame } from '../engine/protocol/net/framing.ts'
import { PROTOCOL } from '../engine/protocol/net/message.ts'
import type { PackedTransaction } from '../engine/protocol/packed_transaction.ts'
import type { Vote } from '../engine/protocol/vote.ts'
import { MAX_KNOWN_TRANSACTIONS } from './network_options.ts'
import type { NetworkState } from './network_state.ts'

/** More nacks in a row than this, and a peer gets notices instead of blocks. */
const NACKS = 2

/** A block that is given to peers. */
export interface SentBlock {
  readonly id: Uint8Array
  readonly previous: Uint8Array
  readonly producer: bigint
  readonly packed: Uint8Array
}

/** A transaction that is given to peers. */
export interface SentTransaction {
  id: Uint8Array
  /** Seconds since 1970. */
  expiration: number
  packed: PackedTransaction
}

/** The message of a packed block, framed. */
export function blockFrame(packed: Uint8Array): Uint8Array {
  const message = new Uint8Array(1 + packed.length)
  message[0] = kindNumber('signed_block')
  message.set(packed, 1)
  return frame(message)
}

/**
 * Knows which peers have which blocks and transactions, by the session of the connection. Blocks are
 * remembered until they are irreversible, transactions for some seconds. A connection that ended is in
 * them until then.
 */
export class Dispatcher {
  private readonly state: NetworkState
  /** Peers that have a block, by id; blocks by number. Every known block has passed its checks. */
  private readonly blocks = new Map<number, Map<string, Set<number>>>()
  /** Peers that have a transaction, and when that is forgotten; seconds. */
  private readonly transactions = new Map<string, Map<number, number>>()
  /** What is forgotten at each second: transactions, and sessions that have them. There may be 500,000. */
  private readonly forgotten = new Map<number, [key: string, session: number][]>()
  private transaction_entries = 0

  constructor(state: NetworkState) {
    this.state = state
  }

  /** Whether a peer sent the block, or was sent it. */
  hasBlock(id: Uint8Array): boolean {
    return this.blocks.get(blockNumFromId(id))?.has(toHex(id)) ?? false
  }

  /** A peer has this block. Returns false if that was known. */
  addPeerBlock(id: Uint8Array, session: number): boolean {
    const num = blockNumFromId(id)
    const ids = entryOf(this.blocks, num, () => new Map<string, Set<number>>())
    const peers = entryOf(ids, toHex(id), () => new Set<number>())
    if (peers.has(session)) return false
    peers.add(session)
    return true
  }

  /** Whether a transaction was received or sent in the last seconds. @param key its id in hex */
  hasTransaction(key: string): boolean {
    return this.transactions.has(key)
  }

  /** A peer has this transaction. Returns false if that was known. @param key its id in hex */
  addPeerTransaction(key: string, expiration: number, session: number): boolean {
    const peers = entryOf(this.transactions, key, () => new Map<number, number>())
    if (peers.has(session)) return false
    const { now_us, options } = this.state
    const forgotten = Math.floor((now_us + options.dedup_cache_expire_us) / SECOND_US)
    const until = Math.min(expiration, forgotten)
    peers.set(session, until)
    entryOf(this.forgotten, until, () => []).push([key, session])
    this.transaction_entries += 1
    this.boundTransactions()
    return true
  }

  /** Gives a block to the peers that do not have it, as a notice to those that have them earlier. */
  sendBlock(block: SentBlock): void {
    const { disable_block_nack } = this.state.options
    const num = blockNumFromId(block.id)
    const own = this.state.chain.producesFor(block.producer)
    let framed: Uint8Array | undefined
    for (const peer of this.state.blockPeers()) {
      if (!peer.current || !this.addPeerBlock(block.id, peer.session)) continue
      const nacks = peer.protocol_version >= PROTOCOL.block_nack && !disable_block_nack
      if (nacks && peer.consecutive_nacks > NACKS && !own) {
        peer.last_block_us = this.state.now_us
        peer.send({ kind: 'block_notice', previous: block.previous, id: block.id })
        continue
      }
      peer.last_block_us = this.state.now_us
      if (peer.root_num >= num) continue
      framed ??= blockFrame(block.packed)
      peer.sendFramed(framed, 'general')
    }
  }

  /** Gives a vote to every peer except the one that sent it. */
  sendVote(vote: Vote, from?: number): void {
    let framed: Uint8Array | undefined
    for (const peer of this.state.blockPeers()) {
      if (!peer.current || peer.id === from || peer.protocol_version < PROTOCOL.savanna) continue
      framed ??= frame(encodeMessage({ kind: 'vote', vote }))
      peer.sendFramed(framed, 'general')
    }
  }

  /** Gives a transaction to the peers that do not have it. */
  sendTransaction({ id, expiration, packed }: SentTransaction): void {
    let key: string | undefined
    let framed: Uint8Array | undefined
    for (const peer of this.state.peers) {
      if (!peer.has_transactions || !peer.current) continue
      key ??= toHex(id)
      if (!this.addPeerTransaction(key, expiration, peer.session)) continue
      framed ??= frame(encodeMessage({ kind: 'packed_transaction', packed }))
      peer.sendFramed(framed, 'transactions')
    }
  }

  /** Forgets irreversible blocks and old transactions. */
  expire(): void {
    const { root_num } = this.state.position()
    for (const num of this.blocks.keys()) if (num <= root_num) this.blocks.delete(num)
    const now = this.state.now_us / SECOND_US
    for (const [until, entries] of this.forgotten) {
      if (until > now) continue
      this.forgotten.delete(until)
      for (const [key, session] of entries) this.forget(key, session, until)
    }
  }

  private forget(key: string, session: number, until: number): void {
    const peers = this.transactions.get(key)
    // It may have given way before, and have come again.
    if (peers?.get(session) !== until) return
    peers.delete(session)
    this.transaction_entries -= 1
    if (peers.size === 0) this.transactions.delete(key)
  }

  /** Memory is bounded: what came first is forgotten first. */
  private boundTransactions(): void {
    if (this.transaction_entries <= MAX_KNOWN_TRANSACTIONS) return
    const [id, peers] = this.transactions.entries().next().value!
    this.transactions.delete(id)
    this.transaction_entries -= peers.size
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
