/** spring: plugins/net_plugin/net_plugin.cpp (process_next_trx_message) */
import { SECOND_US } from '../../engine/protocol/constants.ts'
import { transactionId } from '../../engine/crypto/digests.ts'
import { checkEnd, readMessageKind } from '../../engine/protocol/net/codec.ts'
import {
  openPackedTransaction,
  unpackPackedTransaction,
  type UnpackedTransaction,
} from '../../engine/protocol/packed_transaction.ts'
import { Reader } from '../../engine/protocol/reader.ts'
import { MAX_TRANSACTIONS_IN_PROGRESS, TRANSACTION_OVERHEAD } from '../network_options.ts'
import type { Peer } from '../peer.ts'

/** Takes a transaction of a peer, unless it is known or this node takes none now. */
export function receiveTransaction(peer: Peer, bytes: Uint8Array): void {
  const { state, sync, dispatcher } = peer.network
  if (!state.options.accept_transactions || sync.catching_up) return
  const r = new Reader(bytes)
  readMessageKind(r)
  const packed = unpackPackedTransaction(r)
  checkEnd(r)
  const opened = openPackedTransaction(packed)
  const { trx, trx_bytes } = opened
  if (peer.transactions_in_progress > MAX_TRANSACTIONS_IN_PROGRESS) {
    peer.network.dropped_transactions += 1
    return noteDropped(peer)
  }
  const id = transactionId(trx_bytes)
  const is_known = dispatcher.hasTransaction(id)
  dispatcher.addPeerTransaction(id, trx.expiration, peer.session)
  if (is_known) return
  const size = memoryOf(bytes, opened)
  peer.transactions_in_progress += size
  state.chain.takeTransaction(packed, peer.session, () => {
    peer.transactions_in_progress -= size
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

/** Bytes of memory of a transaction in execution, about: compressed ones are opened there again. */
function memoryOf(
  bytes: Uint8Array,
  { trx_bytes, context_free_data }: UnpackedTransaction,
): number {
  const data = context_free_data.reduce((sum, { length }) => sum + length, 0)
  return TRANSACTION_OVERHEAD + bytes.length + 2 * trx_bytes.length + data
}
