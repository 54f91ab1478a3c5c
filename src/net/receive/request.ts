/** spring: plugins/net_plugin/net_plugin.cpp (handle_message request_message, sync_request_message) */
import type { Request, SyncRequest } from '../../engine/protocol/net/message.ts'
import { PROTOCOL } from '../../engine/protocol/net/message.ts'
import { NO_ID } from '../network_state.ts'
import type { Peer } from '../peer.ts'

const MAX_IDS = 2

/** Takes a request for the blocks that follow the peer's. */
export function receiveRequest(peer: Peer, { req_blocks, req_trx }: Request): void {
  const refuse = (what: string): void => {
    peer.log('warn', `sent a wrong request: ${what}`)
    peer.close(false)
  }
  if (req_blocks.ids.length > MAX_IDS) return refuse(`${req_blocks.ids.length} blocks`)
  if (req_blocks.mode === 'catch_up') {
    if (peer.has_blocks) peer.sender.requestBranch(req_blocks.ids.at(-1) ?? NO_ID)
    return
  }
  if (req_blocks.mode === 'normal') {
    const [known, head] = req_blocks.ids
    const after_notice = head !== undefined && req_trx.ids.length === 0
    if (peer.protocol_version < PROTOCOL.block_nack || !after_notice) {
      return refuse('blocks of the mode normal')
    }
    if (peer.has_blocks) peer.sender.requestAfterNotice(known!, head)
    return
  }
  if (req_trx.mode === 'normal') return refuse('transactions')
  if (req_trx.mode !== 'none') return
  if (req_blocks.mode === 'none') peer.syncing_from_us = false
  if (req_trx.ids.length > 0) refuse('transactions without a mode')
}

/** Takes a request for a span of blocks. */
export function receiveSyncRequest(peer: Peer, { start_block, end_block }: SyncRequest): void {
  if (end_block === 0) {
    peer.sender.cancel()
    return peer.clear()
  }
  if (peer.has_blocks) peer.sender.request(start_block, end_block)
}
