/** spring: plugins/net_plugin/net_plugin.cpp (process_next_trx_message) */
import { SECOND_US } from '../../engine/protocol/constants.ts'
import { transactionId } from '../../engine/crypto/digests.ts'
import { checkEnd, readMessageKind } from '../../engine/protocol/net/codec.ts'
import {
  openPackedTransaction,
  unpackPackedTransaction,
  type PackedTransaction,
  type UnpackedTransaction,
} from '../../engine/protocol/packed_transaction.ts'
import { toHex } from '../../engine/protocol/hex.ts'
import { Reader } from '../../engine/protocol/reader.ts'
import { TRANSACTION_OVERHEAD } from '../network_options.ts'
import type { Peer } from '../peer.ts'

/** Bytes of memory of an action, an authorization, a signature or an extension, about. */
const OBJECT_SIZE = 256

/** Takes a transaction of a peer, unless it is known or this node takes none now. */
export function receiveTransaction(peer: Peer, bytes: Uint8Array): void {
  const { state, sync, dispatcher } = peer.network
  if (!state.options.accept_transactions || sync.catching_up) return
  const { transaction_memory } = peer.network
  if (peer.transactions_in_progress > transaction_memory.limit) {
    peer.network.dropped_transactions += 1
    return noteDropped(peer)
  }
  const r = new Reader(bytes)
  readMessageKind(r)
  const packed = unpackPackedTransaction(r)
  checkEnd(r)
  const opened = openPackedTransaction(packed)
  const { trx, trx_bytes } = opened
  const key = toHex(transactionId(trx_bytes))
  const is_known = dispatcher.hasTransaction(key)
  dispatcher.addPeerTransaction(key, trx.expiration, peer.session)
  if (is_known) return
  const size = memoryOf(bytes, packed, opened)
  peer.transactions_in_progress += size
  transaction_memory.take(size)
  state.chain.takeTransaction({ packed, opened }, peer.session, () => {
    peer.transactions_in_progress -= size
    transaction_memory.give(size)
  })
}

/** A line in a second at most says what became of a flood. */
function noteDropped(peer: Peer): void {
  const { now_us } = peer.network.state
  peer.dropped_transactions += 1
  if (now_us - peer.dropped_logged_us < SECOND_US) return
  peer.log(
    'warn',
    `${peer.transactions_in_progress} bytes of its transactions are in execution; ` +
      `it sent ${peer.dropped_transactions} more, which were dropped`,
  )
  peer.dropped_transactions = 0
  peer.dropped_logged_us = now_us
}

/** Bytes of memory of a transaction in execution, about: what a few bytes describe may be an object of hundreds. */
function memoryOf(
  bytes: Uint8Array,
  { signatures }: PackedTransaction,
  { trx, trx_bytes, context_free_data }: UnpackedTransaction,
): number {
  const { actions, context_free_actions, transaction_extensions } = trx
  const all = [...context_free_actions, ...actions]
  const parts = all.reduce((sum, { authorization }) => sum + 1 + authorization.length, 0)
  const objects = signatures.length + parts + transaction_extensions.length
  const sizes = bytes.length + trx_bytes.length + context_free_data.packed.length
  return TRANSACTION_OVERHEAD + sizes + OBJECT_SIZE * objects
}
