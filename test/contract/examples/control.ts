/** What an operator does with production, lists and snapshots. */
import { createServer } from 'node:net'
import { encodeMessage } from '../../../src/engine/protocol/net/codec.ts'
import { frame } from '../../../src/engine/protocol/net/framing.ts'
import type { NetMessage } from '../../../src/engine/protocol/net/message.ts'
import { until } from '../../support/wait.ts'
import { transfer } from './development_chain.ts'
import type { ExampleNode } from './example_node.ts'
import type { ContextReader } from './story.ts'

const QUIET = { prefer: 'return=minimal', request: null, response: 'minimal' }

export async function control(story: ContextReader, on: ExampleNode): Promise<void> {
  await story.ask(on, 'get_runtime_options')
  await story.ask(on, 'update_runtime_options')
  await story.ask(on, 'update_runtime_options', { request: 'other' })
  await lists(story, on)
  await snapshots(story, on)
  await waiting(story, on)
  await peers(story, on)
  await pausing(story, on)
  await development(story, on)
}

/** How a test uses the controls. */
async function development(story: ContextReader, on: ExampleNode): Promise<void> {
  // Nothing waits for a block then.
  await on.produce(2)
  const operations = [
    ...['act_as', 'get_controls', 'take_checkpoint', 'set_production_mode', 'mine_blocks'],
    ...['advance_time', 'go_back_to_checkpoint', 'drop_checkpoint', 'create_account'],
    ...['set_authority', 'set_balance', 'save_state', 'load_state'],
  ]
  for (const operation of operations) {
    // Votes are signed on another thread; the next block tells of them.
    await on.node.engine.chain.voted()
    await story.ask(on, operation)
  }
}

/** The address of the peer in the examples. */
const PEER = { host: '127.0.0.1', port: 19876 }

/** A peer that only says who it is. */
async function peers(story: ContextReader, on: ExampleNode): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.resume()
    socket.write(frame(encodeMessage(handshakeOfPeer(on))))
  })
  await new Promise<void>((resolve) => server.listen(PEER, resolve))
  await story.ask(on, 'connect')
  const { connections } = on.node.engine.services.net.network
  await until('its handshake', () => [...connections][0]?.peer.last_handshake)
  await story.ask(on, 'status')
  await story.ask(on, 'connections')
  await story.ask(on, 'bp_gossip_peers')
  await story.ask(on, 'disconnect')
  await new Promise((resolve) => server.close(resolve))
}

function handshakeOfPeer(on: ExampleNode): NetMessage {
  const { chain_id, head, last_irreversible: root } = on.node.engine.chain
  return {
    kind: 'handshake',
    network_version: 1216,
    chain_id,
    node_id: new Uint8Array(32).fill(0xc5),
    key: new Uint8Array(34),
    time: 1767225600000000000n,
    token: new Uint8Array(32),
    sig: new Uint8Array(66),
    p2p_address: '127.0.0.1:19876 - c5c5c5c',
    fork_db_root_num: root.block_num,
    fork_db_root_id: root.id,
    fork_db_head_num: head.block_num,
    fork_db_head_id: head.id,
    os: 'linux',
    agent: 'Spring Agent',
    generation: 1,
  }
}

async function lists(story: ContextReader, on: ExampleNode): Promise<void> {
  await story.ask(on, 'add_greylist_accounts')
  await story.ask(on, 'get_greylist')
  await story.ask(on, 'remove_greylist_accounts')
  const accounts = ['carol']
  await story.ask(on, 'add_greylist_accounts', { ...QUIET, body: { accounts } })
  await story.ask(on, 'set_whitelist_blacklist')
  await story.ask(on, 'get_whitelist_blacklist')
}

async function snapshots(story: ContextReader, on: ExampleNode): Promise<void> {
  const created = story.ask(on, 'create_snapshot')
  await finalized(on, created)
  await story.ask(on, 'get_integrity_hash')
  await finalized(on, story.ask(on, 'create_snapshot', { ...QUIET, body: {} }))
  await story.ask(on, 'schedule_snapshot')
  await story.ask(on, 'get_snapshot_requests')
  await story.ask(on, 'unschedule_snapshot')
}

/** More blocks than are made until a snapshot's block is final and the answer has come. */
const TO_FINALITY = 8

/** Lets blocks be made until the snapshot's block is final, and always the same number of them. */
async function finalized(on: ExampleNode, snapshot: Promise<unknown>): Promise<void> {
  const end = on.node.head_block_num + TO_FINALITY
  let done = false
  const settled = snapshot.finally(() => (done = true))
  while (!done) await on.produce()
  await settled
  while (on.node.head_block_num < end) await on.produce()
}

async function pausing(story: ContextReader, on: ExampleNode): Promise<void> {
  const foreign = { origin: 'https://other.example' }
  await story.refused(on, 'ErrorForbidden', '/v1/producer/pause', undefined, 403, foreign)
  await story.ask(on, 'paused')
  await story.ask(on, 'pause')
  await story.ask(on, 'resume')
  await story.ask(on, 'pause_at_block')
}

/** A transaction that comes when the block in work is full of time waits for the next one. */
async function waiting(story: ContextReader, on: ExampleNode): Promise<void> {
  const late = await on.signed(['alice'], [await transfer(on, '6.0000 SYS', 'late')])
  on.pass(1)
  const sent = on.get('send_transaction', late)
  const { queue } = on.node.engine.services.production.processor
  await until('the transaction waits', () => queue.size > 0)
  await story.ask(on, 'get_unapplied_transactions')
  await on.produce()
  await sent
}
