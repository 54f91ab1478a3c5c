/** spring: plugins/net_plugin/net_plugin.cpp (handle_message vote_message, broadcast_vote_message) */
import type { Vote } from '../../engine/protocol/vote.ts'
import type { Peer } from '../peer.ts'

/** Takes a vote: valid new ones are given to other peers, invalid ones end the connection. */
export function receiveVote(peer: Peer, vote: Vote): void {
  const { state, sync, dispatcher } = peer.network
  peer.last_vote_us = state.now_us
  peer.votes_in_progress += 1
  // Its bytes are views of the message.
  void state.chain.takeVote(vote).then((result) => {
    peer.votes_in_progress -= 1
    state.tasks.run(() => {
      switch (result) {
        case 'success':
          if (!sync.catching_up) dispatcher.sendVote(vote, peer.id)
          break
        case 'unknown_public_key':
        case 'invalid_signature':
          peer.log('warn', `sent an invalid vote, the connection is closed: ${result}`)
          peer.close(false)
          break
        case 'unknown_block':
          peer.rejections.rejected(state.now_us)
          break
        case 'duplicate':
          break
      }
    })
    peer.onReady()
  })
}
