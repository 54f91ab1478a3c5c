/** spring: plugins/net_plugin/net_plugin.cpp (handle_message notice_message) */
import { blockNumFromId } from '../../engine/protocol/block.ts'
import type { Notice } from '../../engine/protocol/net/message.ts'
import type { Peer } from '../peer.ts'

/** The best block and the first block of the peer. */
const MAX_IDS = 2

/** Takes what a peer says that it has. */
export function receiveNotice(peer: Peer, message: Notice): void {
  const { known_trx, known_blocks } = message
  peer.accepted()
  if (known_blocks.ids.length > MAX_IDS) {
    peer.log('info', `sent a notice of ${known_blocks.ids.length} blocks`)
    return peer.close(false)
  }
  const known = known_trx.mode === 'none' || known_trx.mode === 'last_irr_catch_up'
  if (known && peer.last_handshake !== undefined) {
    const { last_handshake } = peer
    const fork_db_head_num = Math.max(known_blocks.pending, last_handshake.fork_db_head_num)
    peer.last_handshake = { ...last_handshake, fork_db_head_num }
  }
  if (known_blocks.mode !== 'last_irr_catch_up' && known_blocks.mode !== 'catch_up') {
    if (known_blocks.mode === 'none' || known_blocks.mode === 'normal') return
    return peer.log('info', `sent a notice of the mode ${known_blocks.mode}`)
  }
  const [head, first] = known_blocks.ids
  if (first !== undefined) peer.start_block_num = blockNumFromId(first)
  if (head !== undefined) peer.fork_head_num = blockNumFromId(head)
  peer.network.sync.notice(peer, message)
}
