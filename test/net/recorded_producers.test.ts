/** Recorded sessions between two producers, with this node in the place of each. */
import { expect } from 'chai'
import { blockId } from '../../src/engine/crypto/digests.ts'
import { blockNumFromId, unpackSignedBlock } from '../../src/engine/protocol/block.ts'
import { bytesEqual, toHex } from '../../src/engine/protocol/hex.ts'
import { decodeMessage } from '../../src/engine/protocol/net/codec.ts'
import type { NetMessage } from '../../src/engine/protocol/net/message.ts'
import { openPackedTransaction } from '../../src/engine/protocol/packed_transaction.ts'
import { Reader } from '../../src/engine/protocol/reader.ts'
import { transactionId } from '../../src/engine/crypto/digests.ts'
import type { BlockOutcome, ReceivedBlock } from '../../src/net/peer_chain.ts'
import { recordedSession, type RecordedLine } from '../support/recorded_peers.ts'
import {
  CHAIN_ID,
  FakeChain,
  FakeNetwork,
  blockNums,
  essence,
  isAnswer,
  type FakeLink,
} from './support/fake_peers.ts'

type Side = RecordedLine['from']
const SIDES: readonly Side[] = ['dialer', 'listener']
/** The last block of the recorded chain, with which both begin. */
const BASE = 140

const linesOf = (name: 'live' | 'rejoin') => recordedSession(name).filter(({ bytes }) => bytes)

/** The blocks that a side sent, each once, packed. */
function blocksOf(name: 'live' | 'rejoin', from?: Side): Uint8Array[] {
  const blocks = new Map<string, Uint8Array>()
  for (const line of linesOf(name)) {
    if (line.bytes![0] !== 7 || (from !== undefined && line.from !== from)) continue
    const packed = line.bytes!.subarray(1)
    blocks.set(toHex(idOf(packed)), packed)
  }
  return [...blocks.values()]
}

const idOf = (packed: Uint8Array) => blockId(unpackSignedBlock(new Reader(packed)))
const numOf = (packed: Uint8Array) => blockNumFromId(idOf(packed))

/** Another branch becomes the best one with its last block. */
class BranchChain extends FakeChain {
  private readonly other = new Map<string, Uint8Array>()
  /** The id of that block. */
  private readonly best: Uint8Array

  constructor(head: number, own: readonly Uint8Array[], best: Uint8Array) {
    super(head, CHAIN_ID, own)
    this.best = best
  }

  override takeBlock(received: ReceivedBlock, outcome: (outcome: BlockOutcome) => void): void {
    const { id } = received
    const { block, packed } = received.open()
    if (this.other.has(toHex(id))) return outcome('duplicate')
    if (bytesEqual(block.previous, this.position().fork_head_id))
      return super.takeBlock(received, outcome)
    const mine = this.blockId(received.block_num)
    if (mine !== undefined && bytesEqual(mine, id)) return outcome('duplicate')
    this.other.set(toHex(id), packed)
    if (!bytesEqual(id, this.best)) return outcome('added')
    for (const [, other] of this.other) {
      const num = numOf(other)
      this.blocks[num - 1] = other
      this.ids[num - 1] = idOf(other)
    }
    this.head = this.fork_head = received.block_num
    outcome('fork_switch')
    this.onApplied(received.block_num)
  }
}

/** Does what the recorded node did by itself: makes a block, votes, executes a transaction. */
function act(fake: FakeNetwork, message: NetMessage): void {
  const { chain, network } = fake
  switch (message.kind) {
    case 'signed_block': {
      const num = blockNumFromId(blockId(message.block))
      if (num <= chain.fork_head) return
      chain.fork_head = num
      chain.execute(num)
      return
    }
    case 'vote':
      return network.voteCast(message.vote)
    case 'packed_transaction': {
      const { trx, trx_bytes } = openPackedTransaction(message.packed)
      const { expiration } = trx
      return network.transactionAccepted({
        id: transactionId(trx_bytes),
        expiration,
        packed: message.packed,
      })
    }
  }
}

/** Plays a session with this node on one side. Returns what it sent and what the recorded one sent. */
function play(
  name: 'live' | 'rejoin',
  side: Side,
  fake: FakeNetwork,
): { link: FakeLink; sent: NetMessage[]; recorded: NetMessage[] } {
  const link = fake.peer(side === 'dialer' ? { address: 'there:1' } : {})
  const sent: NetMessage[] = []
  const recorded: NetMessage[] = []
  let t = 0
  for (const line of linesOf(name)) {
    fake.pass(Math.max(0, line.t - t) * 1000)
    t = line.t
    const message = decodeMessage(line.bytes!)
    if (line.from === side) {
      recorded.push(message)
      act(fake, message)
    } else {
      fake.receive(link, line.bytes!)
    }
    sent.push(...link.take())
  }
  return { link, sent, recorded }
}

describe('recorded sessions of two producers', () => {
  for (const side of SIDES) {
    it(`live: this node gives the same as the ${side}, in the same order`, () => {
      const chain = new FakeChain(BASE, CHAIN_ID, blocksOf('live'))
      if (side === 'listener') chain.head = chain.fork_head = BASE + 1
      chain.reversible = 2
      const fake = new FakeNetwork(chain)
      chain.accepts_votes = true
      const { link, sent, recorded } = play('live', side, fake)
      expect(sent.filter(isAnswer).map(essence)).deep.equal(recorded.filter(isAnswer).map(essence))
      expect(link.is_closed).equal(false)
      expect(chain.fork_head).equal(199)
      expect(chain.votes.length).greaterThan(50)
      expect(chain.transactions.length).greaterThan(10)
    })
  }

  for (const side of SIDES) {
    it(`rejoin: this node gives the same as the ${side}, and the better branch wins`, () => {
      const between = (blocks: Uint8Array[], first: number, last: number) =>
        blocks.filter((packed) => numOf(packed) >= first && numOf(packed) <= last)
      const dialed = blocksOf('rejoin', 'dialer')
      // Both have the same blocks up to 210.
      const blocks = [
        ...blocksOf('live'),
        ...between(dialed, 200, 210),
        ...between(blocksOf('rejoin', side), 211, 213),
        ...between(blocksOf('rejoin'), 214, 240),
      ]
      const [best] = between(dialed, 213, 213)
      const chain = new BranchChain(BASE, blocks, idOf(best!))
      chain.head = chain.fork_head = 213
      chain.root = side === 'dialer' ? 210 : 198
      chain.accepts_votes = true
      const fake = new FakeNetwork(chain)
      const { link, sent, recorded } = play('rejoin', side, fake)
      // When blocks are executed and votes are ready is not in the protocol, and decides about later requests.
      const first = (messages: NetMessage[]) =>
        messages
          .slice(
            0,
            messages.findIndex(({ kind }) => kind === 'vote'),
          )
          .filter((message) => isAnswer(message) && message.kind !== 'block_nack')
          .map(essence)
      expect(first(sent)).deep.equal(first(recorded))
      expect(new Set(blockNums(sent))).deep.equal(new Set(blockNums(recorded)))
      const votes = (messages: NetMessage[]) => messages.filter(({ kind }) => kind === 'vote')
      expect(votes(sent)).deep.equal(votes(recorded))
      expect(link.is_closed).equal(false)
      expect(chain.fork_head).equal(240)
    })
  }
})
