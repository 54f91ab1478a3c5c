/** spring: plugins/net_plugin/net_plugin.cpp (handle_message notice_message) */
import { blockNumFromId } from '../../engine/protocol/block.ts'
import type { Handshake, Notice } from '../../engine/protocol/net/message.ts'
import type { Peer } from '../peer.ts'

/** The best block and the first block of the peer. */
const MAX_IDS = 2

/** Takes what a peer says that it has. */
export function receiveNotice(peer: Peer, message: Notice): void {
  const { known_blocks } = message
  peer.accepted()
  if (known_blocks.ids.length > MAX_IDS) {
    peer.log('warn', `sent a notice of ${known_blocks.ids.length} blocks`)
    return peer.close(false)
  }
  if (peer.last_handshake !== undefined) {
    peer.last_handshake = withNotice(peer.last_handshake, message)
  }
  if (known_blocks.mode !== 'last_irr_catch_up' && known_blocks.mode !== 'catch_up') {
    if (known_blocks.mode === 'none' || known_blocks.mode === 'normal') return
    return peer.log('warn', `sent a notice of the mode ${known_blocks.mode}`)
  }
  const [head, first] = known_blocks.ids
  if (first !== undefined) peer.start_block_num = blockNumFromId(first)
  if (head !== undefined) peer.fork_head_num = blockNumFromId(head)
  peer.network.sync.notice(peer, message)
}

/** The last handshake of a peer with what a notice says besides; the API shows it. */
function withNotice(handshake: Handshake, { known_trx, known_blocks }: Notice): Handshake {
  const { fork_db_head_num: head, fork_db_root_num: root } = handshake
  const tells_head = known_trx.mode === 'none' || known_trx.mode === 'last_irr_catch_up'
  return {
    ...handshake,
    fork_db_head_num: tells_head ? Math.max(known_blocks.pending, head) : head,
    fork_db_root_num: known_blocks.mode === 'last_irr_catch_up' ? known_trx.pending : root,
  }
}
