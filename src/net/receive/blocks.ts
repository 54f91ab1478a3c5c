/** spring: plugins/net_plugin/net_plugin.cpp (process_next_block_message, handle_message signed_block) */
import { blockId } from '../../engine/crypto/digests.ts'
import {
  blockNumFromId,
  packSignedBlock,
  unpackSignedBlock,
  unpackSignedBlockHeader,
  type SignedBlock,
} from '../../engine/protocol/block.ts'
import { extractBlockExtensions } from '../../engine/protocol/block_extension.ts'
import { ChainError, check } from '../../engine/errors.ts'
import { bytesEqual } from '../../engine/protocol/hex.ts'
import { WA } from '../../engine/protocol/key.ts'
import { checkEnd, readMessageKind } from '../../engine/protocol/net/codec.ts'
import { noIds, type BlockNack, type BlockNotice } from '../../engine/protocol/net/message.ts'
import { Reader } from '../../engine/protocol/reader.ts'
import { packOne } from '../../engine/protocol/writer.ts'
import { slotToUs } from '../../engine/protocol/time.ts'
import { NO_ID } from '../network_state.ts'
import type { BlockOutcome, OpenedBlock, ReceivedBlock } from '../peer_chain.ts'
import type { Peer } from '../peer.ts'
import { receiveVotesOn } from './vote.ts'

/** Takes a block. Only its header is read if it is known or not wanted. */
export function receiveBlock(peer: Peer, bytes: Uint8Array): void {
  const { state, sync, dispatcher } = peer.network
  const r = new Reader(bytes)
  readMessageKind(r)
  const start = r.pos
  const header = unpackSignedBlockHeader(r)
  const id = blockId(header)
  const num = blockNumFromId(id)
  peer.last_block_num = num
  peer.last_block_received_us = state.last_block_received_us = state.now_us
  const age_us = state.now_us - slotToUs(header.timestamp)
  if (dispatcher.hasBlock(id)) {
    dispatcher.addPeerBlock(id, peer.session)
    peer.sendBlockNack(id)
    return sync.received(peer, id, num, age_us)
  }
  const is_old = num <= state.position().root_num
  if (sync.syncing) {
    peer.sync_bytes_received += bytes.length
    sync.received(peer, id, num, age_us)
    if (is_old) return
  } else if (is_old) {
    peer.sendBlockNack(id)
    return peer.cancelSyncWait()
  }
  const size = bytes.length
  const { block_memory } = peer.network
  peer.blocks_in_progress += size
  block_memory.take(size)
  let opened: OpenedBlock | undefined
  const open = () => (opened ??= openBlock(bytes, start))
  const received = { header, size, id, block_num: num, open }
  state.chain.takeBlock(received, (outcome) => {
    peer.blocks_in_progress -= size
    block_memory.give(size)
    state.tasks.run(() => blockChecked(peer, received, outcome))
    peer.onReady()
  })
}

/** Reads the block that begins there in a message. */
function openBlock(bytes: Uint8Array, start: number): OpenedBlock {
  const r = new Reader(bytes)
  r.pos = start
  const block = unpackSignedBlock(r)
  checkEnd(r)
  checkSignatureTypes(block)
  // The log has the shortest form, which every other node computes ids and hashes from.
  return { block, packed: r.canonical ? bytes.subarray(start) : packOne(packSignedBlock, block) }
}

/** Keys that sign blocks are of other types. */
function checkSignatureTypes(block: SignedBlock): void {
  const { additional_block_signatures = [] } = extractBlockExtensions(block.block_extensions)
  const signatures = [block.producer_signature, ...additional_block_signatures]
  check(
    signatures.every((signature) => signature[0] !== WA),
    'plugin_exception',
    'a block that is signed with WebAuthn',
  )
}

function blockChecked(peer: Peer, received: ReceivedBlock, outcome: BlockOutcome): void {
  const { header, id, block_num } = received
  const { state, sync, dispatcher } = peer.network
  const age_us = state.now_us - slotToUs(header.timestamp)
  if (outcome instanceof ChainError) {
    peer.log('info', `sent an invalid block ${block_num}: ${outcome.message}`)
    return sync.rejected(peer, block_num, true)
  }
  if (outcome === 'unlinkable') return sync.rejected(peer, block_num, false)
  dispatcher.addPeerBlock(id, peer.session)
  if (outcome !== 'duplicate') peer.last_new_block_us = state.now_us
  if (outcome === 'appended' || outcome === 'fork_switch') {
    peer.unique_blocks += 1
    sync.noteNewBlock(age_us)
  }
  if (!sync.catching_up) {
    const { previous, producer } = header
    dispatcher.sendBlock({ id, previous, producer, packed: received.open().packed })
  }
  if (state.chain.executes_irreversible) sync.applied(id, block_num, age_us)
  peer.rejections.reset()
  void receiveVotesOn(peer.network, id)
}

/** The peer had a block already when it was sent. */
export function receiveBlockNack(peer: Peer, { id }: BlockNack): void {
  const { state, dispatcher } = peer.network
  const num = blockNumFromId(id)
  const last = blockNumFromId(peer.last_nack)
  peer.last_nack = id
  if (num === 0) {
    peer.consecutive_nacks = 0
    return
  }
  peer.last_block_us = state.now_us
  const is_old = num <= state.position().root_num
  if (!is_old && !dispatcher.hasBlock(id)) return
  peer.consecutive_nacks = num - 1 === last ? peer.consecutive_nacks + 1 : 0
  if (!is_old) dispatcher.addPeerBlock(id, peer.session)
}

/** The peer has a new block, which is asked for if it does not come from another peer. */
export function receiveBlockNotice(peer: Peer, { previous, id }: BlockNotice): void {
  const { state, dispatcher } = peer.network
  const num = blockNumFromId(id)
  if (num - 1 !== blockNumFromId(previous)) {
    peer.log('info', 'sent a wrong notice of a block')
    return peer.close(false)
  }
  const { root_num, head_id } = state.position()
  if (num <= root_num) return
  peer.last_block_us = state.now_us
  if (dispatcher.hasBlock(id)) {
    dispatcher.addPeerBlock(id, peer.session)
    return
  }
  if (dispatcher.hasBlock(previous)) return
  for (const { notice_request } of state.blockPeers()) {
    if (notice_request !== undefined && bytesEqual(notice_request, previous)) return
  }
  peer.sendBlockNack(NO_ID)
  peer.notice_request = previous
  peer.send({
    kind: 'request',
    req_trx: noIds(),
    req_blocks: { mode: 'normal', pending: 0, ids: [previous, head_id] },
  })
}
