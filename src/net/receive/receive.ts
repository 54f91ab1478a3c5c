/**
 * Messages of a peer.
 * spring: plugins/net_plugin/net_plugin.cpp (process_next_message)
 */
import { ChainError } from '../../engine/errors.ts'
import { decodeMessage, readMessageKind } from '../../engine/protocol/net/codec.ts'
import type {
  GoAway,
  MessageKind,
  NetMessage,
  TimeMessage,
} from '../../engine/protocol/net/message.ts'
import { Reader } from '../../engine/protocol/reader.ts'
import type { Peer } from '../peer.ts'
import { receiveBlock, receiveBlockNack, receiveBlockNotice } from './blocks.ts'
import { receiveGossip } from './gossip.ts'
import { receiveHandshake } from './handshake.ts'
import { receiveNotice } from './notice.ts'
import { receiveRequest, receiveSyncRequest } from './request.ts'
import { receiveTransaction } from './transaction.ts'
import { receiveVote } from './vote.ts'

/** What a node that connects may send before this one knows that it may connect. */
const BEFORE_PROOF: readonly MessageKind[] = ['handshake', 'time', 'go_away']

/** Takes a whole message of a peer, without its length. Bytes that are not a message end the connection. */
export function receiveMessage(peer: Peer, bytes: Uint8Array): void {
  const { state } = peer.network
  state.tasks.run(() => {
    if (!peer.is_heard) return
    try {
      receive(peer, bytes)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      peer.log('warn', `sent what cannot be used, the connection is closed: ${error.message}`)
      peer.close(false)
    }
  })
}

function receive(peer: Peer, bytes: Uint8Array): void {
  const { state } = peer.network
  peer.last_message_us = state.now_us
  const kind = readMessageKind(new Reader(bytes))
  if (peer.needs_proof && !BEFORE_PROOF.includes(kind)) {
    peer.log('warn', `sent a ${kind} message before it proved its key, the connection is closed`)
    return peer.close(false)
  }
  if (kind === 'signed_block') {
    peer.last_block_us = state.now_us
    return receiveBlock(peer, bytes)
  }
  if (kind === 'packed_transaction') return receiveTransaction(peer, bytes)
  if (kind === 'vote' && !state.chain.accepts_votes) return
  handle(peer, decodeMessage(bytes))
}

function handle(peer: Peer, message: NetMessage): void {
  switch (message.kind) {
    case 'handshake':
      return receiveHandshake(peer, message)
    case 'go_away':
      return receiveGoAway(peer, message)
    case 'time':
      return receiveTime(peer, message)
    case 'notice':
      return receiveNotice(peer, message)
    case 'request':
      return receiveRequest(peer, message)
    case 'sync_request':
      return receiveSyncRequest(peer, message)
    case 'vote':
      return receiveVote(peer, message.vote)
    case 'block_nack':
      return receiveBlockNack(peer, message)
    case 'block_notice':
      return receiveBlockNotice(peer, message)
    case 'gossip_bp_peers':
      return receiveGossip(peer, message)
    // Nodes read its form and do nothing with it.
    case 'chain_size':
    // These are read elsewhere.
    case 'signed_block':
    case 'packed_transaction':
      return
  }
}

function receiveGoAway(peer: Peer, { reason, node_id }: GoAway): void {
  peer.log('warn', `ends the connection: ${reason}`)
  const is_first = peer.no_retry === 'no_reason'
  peer.no_retry = reason
  if (reason === 'duplicate') peer.node_id = node_id
  // A wrong version is tried once more.
  if (reason === 'wrong_version' && !is_first) peer.no_retry = 'fatal_other'
  const retry = is_first && (reason === 'wrong_version' || reason === 'benign_other')
  peer.clear()
  peer.close(retry)
}

function receiveTime(peer: Peer, message: TimeMessage): void {
  const { answers, measured, offset_us } = peer.times.receive(message, peer.now_ns)
  for (const answer of answers) peer.send(answer)
  if (offset_us !== undefined) {
    const ms = Math.round(Math.abs(offset_us) / 1000)
    const side = offset_us > 0 ? 'ahead of' : 'behind'
    peer.log('warn', `its clock is at least ${ms} ms ${side} this one`)
  }
  if (measured && peer.last_handshake === undefined) peer.sendHandshake()
}
