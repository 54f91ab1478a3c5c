/** spring: plugins/net_plugin/net_plugin.cpp (process_next_trx_message) */
import { transactionId } from '../../engine/crypto/digests.ts'
import { checkEnd, readMessageKind } from '../../engine/protocol/net/codec.ts'
import { openPackedTransaction } from '../../engine/protocol/packed_transaction.ts'
import { unpackPackedTransaction } from '../../engine/protocol/packed_transaction.ts'
import { Reader } from '../../engine/protocol/reader.ts'
import { MAX_TRANSACTIONS_IN_PROGRESS } from '../network_options.ts'
import type { Peer } from '../peer.ts'

/** Takes a transaction of a peer, unless it is known or this node takes none now. */
export function receiveTransaction(peer: Peer, bytes: Uint8Array): void {
  const { state, sync, dispatcher } = peer.network
  if (!state.options.accept_transactions || sync.catching_up) return
  const r = new Reader(bytes)
  readMessageKind(r)
  const packed = unpackPackedTransaction(r)
  checkEnd(r)
  const { trx, trx_bytes } = openPackedTransaction(packed)
  if (peer.transactions_in_progress > MAX_TRANSACTIONS_IN_PROGRESS) {
    peer.network.dropped_transactions += 1
    return
  }
  const id = transactionId(trx_bytes)
  const is_known = dispatcher.hasTransaction(id)
  dispatcher.addPeerTransaction(id, trx.expiration, peer.id)
  if (is_known) return
  const size = bytes.length
  peer.transactions_in_progress += size
  state.chain.takeTransaction(packed, () => {
    peer.transactions_in_progress -= size
  })
}
