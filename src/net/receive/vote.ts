/** spring: plugins/net_plugin/net_plugin.cpp (handle_message vote_message, broadcast_vote_message) */
import { blockNumFromId } from '../../engine/protocol/block.ts'
import type { Vote, VoteResult } from '../../engine/protocol/vote.ts'
import type { Network } from '../network_parts.ts'
import type { Peer } from '../peer.ts'
import type { WaitingVote } from '../waiting_votes.ts'

/** Takes a vote: valid new ones are given to other peers, invalid ones end the connection. */
export function receiveVote(peer: Peer, vote: Vote): void {
  const { state } = peer.network
  if (!state.options.accept_votes) return
  peer.last_vote_us = state.now_us
  if (blockNumFromId(vote.block_id) <= state.position().root_num) return
  void verify(peer, vote)
}

/** Takes the votes on a block that came before it. Those of a peer that sent an invalid one are left out. */
export async function receiveVotesOn(network: Network, block_id: Uint8Array): Promise<void> {
  for (const { retry } of network.votes.take(block_id, network.state.now_us)) await retry()
}

async function verify(peer: Peer, vote: Vote): Promise<void> {
  const { state } = peer.network
  peer.votes_in_progress += 1
  // Its bytes are views of the message.
  const result = await state.chain.takeVote(vote)
  peer.votes_in_progress -= 1
  state.tasks.run(() => verified(peer, vote, result))
  peer.onReady()
}

function verified(peer: Peer, vote: Vote, result: VoteResult): void {
  const { sync, dispatcher, votes } = peer.network
  // Those that were verified together are wrong together.
  const refuse = (why: string): void => {
    if (!peer.is_heard) return
    peer.log('warn', `sent an invalid vote, the connection is closed: ${why}`)
    peer.close(false)
  }
  switch (result) {
    case 'success':
      if (!sync.catching_up) dispatcher.sendVote(vote, peer.id)
      break
    case 'unknown_public_key':
    case 'invalid_signature':
      return refuse(result)
    case 'unknown_block':
      if (peer.is_open && !votes.add(waiting(peer, vote))) refuse('too many on unknown blocks')
      break
    case 'duplicate':
      break
  }
}

function waiting(peer: Peer, vote: Vote): WaitingVote {
  const { session } = peer
  return {
    session,
    block_id: vote.block_id,
    received_us: peer.network.state.now_us,
    retry: async () => {
      if (peer.is_open && peer.session === session) await verify(peer, vote)
    },
  }
}
