/** What follows from each kind of message, apart from handshakes. */
import { expect } from 'chai'
import { blockId } from '../../src/engine/crypto/digests.ts'
import { ChainError } from '../../src/engine/errors.ts'
import { encodeMessage } from '../../src/engine/protocol/net/codec.ts'
import {
  blockNumFromId,
  packSignedBlock,
  unpackSignedBlock,
  type SignedBlock,
} from '../../src/engine/protocol/block.ts'
import { makeBlockExtensions } from '../../src/engine/protocol/block_extension.ts'
import {
  noIds,
  type GoAwayReason,
  type Handshake,
  type IdList,
  type NetMessage,
} from '../../src/engine/protocol/net/message.ts'
import { makePackedTransaction } from '../../src/engine/protocol/packed_transaction.ts'
import { Reader } from '../../src/engine/protocol/reader.ts'
import { slotToUs } from '../../src/engine/protocol/time.ts'
import { plainTransaction } from '../../src/engine/protocol/transaction.ts'
import type { VoteResult } from '../../src/engine/protocol/vote.ts'
import { packOne } from '../../src/engine/protocol/writer.ts'
import type { NetworkOptions } from '../../src/net/network_options.ts'
import { NO_ID } from '../../src/net/network_state.ts'
import type { BlockOutcome } from '../../src/net/peer_chain.ts'
import type { Peer } from '../../src/net/peer.ts'
import { recordedBlocks } from '../engine/protocol/recorded_blocks.ts'
import { NotedNetwork, type NotedLink } from './support/noted_network.ts'
import { blockIdOf } from './support/stub_peer.ts'

const SECOND_US = 1_000_000

describe('a message', () => {
  let noted: NotedNetwork
  let peer: Peer
  let link: NotedLink

  function start(options: Partial<NetworkOptions> = {}): void {
    noted = new NotedNetwork(options)
    ;({ peer, link } = open())
  }

  /** A connection to a node with the newest protocol, which is in use. */
  function open(): { peer: Peer; link: NotedLink } {
    const made = noted.open('there:1')
    made.peer.accepted()
    made.peer.protocol_version = 11
    return made
  }

  beforeEach(() => start())

  const receive = (message: NetMessage | Uint8Array): void => noted.receive(peer, message)

  it('is a sign of life; after the end of a connection none is taken', () => {
    noted.pass(SECOND_US)
    receive({
      kind: 'chain_size',
      last_irreversible_block_num: 1,
      last_irreversible_block_id: NO_ID,
      head_num: 2,
      head_id: NO_ID,
    })
    expect(peer.last_message_us).equal(noted.stub.clock.now())
    expect([link.take(), noted.take()]).deep.equal([[], []])
    peer.state = 'closing'
    receive({ kind: 'block_nack', id: blockIdOf(121) })
    peer.state = 'connected'
    peer.is_open = false
    receive({ kind: 'block_nack', id: blockIdOf(121) })
    expect(peer.last_nack).deep.equal(NO_ID)
  })

  it('that cannot be one ends the connection', () => {
    receive(Uint8Array.of(3, 1, 2))
    expect(link.take()).deep.equal(['close'])
  })

  describe('notice', () => {
    function notice(known_blocks: Partial<IdList>, known_trx: Partial<IdList> = {}): void {
      receive({
        kind: 'notice',
        known_trx: { ...noIds(), ...known_trx },
        known_blocks: { ...noIds(), ...known_blocks },
      })
    }

    it('says what a peer has, to the synchronization if blocks are missing', () => {
      for (const mode of ['catch_up', 'last_irr_catch_up'] as const) {
        start()
        notice({ mode, ids: [blockIdOf(130), blockIdOf(7)] })
        expect([peer.fork_head_num, peer.start_block_num]).deep.equal([130, 7])
        expect(noted.take()).deep.equal(['notice 1'])
        notice({ mode, ids: [] })
        notice({ mode, ids: [blockIdOf(131)] })
        expect([peer.fork_head_num, peer.start_block_num]).deep.equal([131, 7])
        expect(noted.take()).deep.equal(['notice 1', 'notice 1'])
      }
    })

    it('of another mode is nothing to it', () => {
      for (const mode of ['none', 'normal', 17] as const) {
        notice({ mode, ids: [blockIdOf(130), blockIdOf(7)] })
        expect([peer.fork_head_num, noted.take(), link.take()]).deep.equal([0, [], []])
      }
      expect(noted.stub.lines).deep.equal(['warn peer 1 there:1: sent a notice of the mode 17'])
    })

    it('of more than two blocks ends the connection', () => {
      notice({ mode: 'catch_up', ids: [1, 2, 3].map((num) => blockIdOf(num)) })
      expect([link.take(), noted.take()]).deep.equal([['close'], []])
    })

    it('is a sign that the connection is in use', () => {
      ;({ peer, link } = noted.open())
      notice({ mode: 'none' })
      expect([peer.state, peer.last_handshake]).deep.equal(['connected', undefined])
    })

    it('changes what the API shows of the handshake', () => {
      const shown = (known_blocks: Partial<IdList>, known_trx: Partial<IdList>): number[] => {
        peer.last_handshake = { fork_db_head_num: 100, fork_db_root_num: 90 } as Handshake
        notice(known_blocks, known_trx)
        return [peer.last_handshake.fork_db_head_num, peer.last_handshake.fork_db_root_num]
      }
      const last = 'last_irr_catch_up'
      expect(shown({ mode: 'catch_up', pending: 130 }, { mode: 'none', pending: 95 })).deep.equal([
        130, 90,
      ])
      expect(shown({ mode: last, pending: 130 }, { mode: last, pending: 95 })).deep.equal([130, 95])
      expect(shown({ mode: last, pending: 50 }, { mode: last, pending: 95 })).deep.equal([100, 95])
      for (const mode of ['catch_up', 'normal'] as const) {
        expect(shown({ mode, pending: 130 }, { mode, pending: 95 })).deep.equal([100, 90])
      }
    })
  })

  describe('request', () => {
    function request(req_blocks: Partial<IdList>, req_trx: Partial<IdList> = {}): string[] {
      const req = { req_trx: { ...noIds(), ...req_trx }, req_blocks: { ...noIds(), ...req_blocks } }
      receive({ kind: 'request', ...req })
      return link.take()
    }

    it('is answered by the blocks after the last one that it names', () => {
      peer.root_num = 110
      expect(request({ mode: 'catch_up', ids: [blockIdOf(100), blockIdOf(115)] })).deep.equal([
        'sync block 116',
      ])
      start()
      peer.root_num = 110
      expect(request({ mode: 'catch_up' })).deep.equal(['sync block 111'])
      start()
      peer.root_num = 110
      // Nothing else counts then.
      expect(request({ mode: 'catch_up' }, { mode: 'normal' })).deep.equal(['sync block 111'])
      start()
      peer.root_num = 110
      peer.type = 'trx'
      expect(request({ mode: 'catch_up' })).deep.equal([])
    })

    it('after a notice of a block names the block of this node and the head of the peer', () => {
      peer.protocol_version = 10
      const ids = [blockIdOf(118), blockIdOf(115)]
      expect(request({ mode: 'normal', ids }, { mode: 'normal' })).deep.equal(['sync block 115'])
      start()
      peer.type = 'trx'
      expect(request({ mode: 'normal', ids: [blockIdOf(118), blockIdOf(115)] })).deep.equal([])
    })

    it('that no node sends ends the connection', () => {
      const wrong: [Partial<IdList>, Partial<IdList>?][] = [
        [{ mode: 'catch_up', ids: [1, 2, 3].map((num) => blockIdOf(num)) }],
        [{ mode: 'normal', ids: [] }],
        [{ mode: 'normal', ids: [blockIdOf(118)] }],
        [{ mode: 'normal', ids: [blockIdOf(118), blockIdOf(115)] }, { ids: [NO_ID] }],
        [{ mode: 'none' }, { mode: 'normal' }],
        [{ mode: 'none' }, { mode: 'none', ids: [NO_ID] }],
      ]
      for (const [blocks, transactions] of wrong) {
        start()
        expect(request(blocks, transactions)).deep.equal(['close'])
      }
      start()
      peer.protocol_version = 9
      expect(request({ mode: 'normal', ids: [blockIdOf(118), blockIdOf(115)] })).deep.equal([
        'close',
      ])
    })

    it('of nothing says that the peer has what it needs', () => {
      const syncs = (req_blocks: Partial<IdList>, req_trx: Partial<IdList>): boolean => {
        start()
        peer.syncing_from_us = true
        expect(request(req_blocks, req_trx)).deep.equal([])
        return peer.syncing_from_us
      }
      expect(syncs({ mode: 'none' }, { mode: 'none' })).equal(false)
      expect(syncs({ mode: 'none' }, { mode: 'catch_up' })).equal(true)
      expect(syncs({ mode: 'none' }, { mode: 17 })).equal(true)
      expect(syncs({ mode: 17 }, { mode: 'none' })).equal(true)
    })
  })

  describe('request of a span', () => {
    it('is answered by its blocks, until it is withdrawn', () => {
      receive({ kind: 'sync_request', start_block: 101, end_block: 110 })
      expect(link.take()).deep.equal(['sync block 101'])
      receive({ kind: 'sync_request', start_block: 0, end_block: 0 })
      expect(link.take()).deep.equal(['clear'])
      noted.run(() => peer.written())
      expect(link.take()).deep.equal([])
    })

    it('on a connection for transactions is passed over, its withdrawal is not', () => {
      peer.type = 'trx'
      receive({ kind: 'sync_request', start_block: 101, end_block: 110 })
      receive({ kind: 'sync_request', start_block: 5, end_block: 0 })
      expect(link.take()).deep.equal(['clear'])
    })
  })

  describe('go_away', () => {
    function goAway(reason: GoAwayReason | number): string[] {
      receive({ kind: 'go_away', reason, node_id: blockIdOf(5) })
      return link.take()
    }

    it('ends the connection, which is tried again for two reasons', () => {
      const tried: (GoAwayReason | number)[] = ['wrong_version', 'benign_other']
      const others = [
        'no_reason',
        'self',
        'duplicate',
        'wrong_chain',
        'forked',
        'fatal_other',
        99,
      ] as const
      for (const reason of [...tried, ...others]) {
        start()
        ;({ peer, link } = noted.open('there:1'))
        expect(goAway(reason)).deep.equal(['clear', tried.includes(reason) ? 'reconnect' : 'close'])
        expect(peer.no_retry).equal(reason)
        expect(peer.node_id).deep.equal(reason === 'duplicate' ? blockIdOf(5) : undefined)
      }
    })

    it('that follows another reason is the last', () => {
      for (const [reason, no_retry] of [
        ['wrong_version', 'fatal_other'],
        ['benign_other', 'benign_other'],
      ] as const) {
        ;({ peer, link } = noted.open('there:1'))
        peer.no_retry = 'duplicate'
        expect(goAway(reason)).deep.equal(['clear', 'close'])
        expect(peer.no_retry).equal(no_retry)
      }
    })
  })

  describe('time', () => {
    it('is answered, and the answer to a ping leads to a handshake if the peer sent none', () => {
      const now = peer.now_ns
      receive({ kind: 'time', org: 0n, rec: 0n, xmt: now, dst: 0n })
      expect(link.messages.splice(0)).deep.equal([
        { kind: 'time', org: now, rec: now, xmt: now, dst: 0n },
      ])
      const answered = (): string[] => {
        noted.run(() => peer.sendTime())
        link.take()
        noted.pass(SECOND_US)
        receive({
          kind: 'time',
          org: peer.now_ns - 1_000_000_000n,
          rec: peer.now_ns,
          xmt: peer.now_ns,
          dst: 0n,
        })
        return link.take()
      }
      expect(answered()).deep.equal(['general handshake'])
      expect(peer.ping_us).equal(SECOND_US)
      peer.last_handshake = {} as Handshake
      noted.stub.chain.fork_head += 1
      expect(answered()).deep.equal([])
    })

    it('tells how far the clock of the peer is ahead or behind', () => {
      for (const [ms, text] of [
        [1500, 'its clock is at least 1500 ms ahead of this one'],
        [-2000, 'its clock is at least 2000 ms behind this one'],
        [400, undefined],
      ] as const) {
        start()
        noted.run(() => peer.sendTime())
        const org = peer.now_ns
        const there = org + BigInt(ms) * 1_000_000n
        receive({ kind: 'time', org, rec: there, xmt: there, dst: 0n })
        expect(noted.stub.lines).deep.equal(text ? [`warn peer 1 there:1: ${text}`] : [])
      }
    })
  })

  describe('of addresses of producers', () => {
    it('that no node sends is refused', () => {
      receive({ kind: 'gossip_bp_peers', peers: [] })
      expect([noted.take(), link.take()]).deep.equal([['gossip 1'], []])
      noted.producers.is_right = false
      receive({ kind: 'gossip_bp_peers', peers: [] })
      expect(link.messages).deep.equal([{ kind: 'go_away', reason: 'fatal_other', node_id: NO_ID }])
    })
  })

  describe('with a block', () => {
    /** A block of the recorded chain, with the number that it has on the chain of ids. */
    const packed = recordedBlocks().blocks[50]!
    let block: SignedBlock
    let id: Uint8Array
    let num: number
    let age_us: number

    beforeEach(() => {
      block = unpackSignedBlock(new Reader(packed))
      id = blockId(block)
      num = blockNumFromId(id)
      Object.assign(noted.stub.chain, { root: num - 1 })
      noted.stub.clock.set(slotToUs(block.timestamp) + 300_000)
      age_us = 300_000
    })

    const message = (bytes = packed): Uint8Array => Uint8Array.of(7, ...bytes)

    function outcome(given: BlockOutcome): void {
      const [waiting] = noted.blocks.splice(0, 1)
      waiting!.outcome(given)
    }

    it('that is known is only noted, and the peer is told that it was', () => {
      noted.dispatcher.addPeerBlock(id, 77)
      receive(message())
      expect(link.messages).deep.equal([{ kind: 'block_nack', id }])
      expect(noted.take()).deep.equal([`received 1 ${num} ${age_us}`])
      expect(noted.dispatcher.addPeerBlock(id, peer.session)).equal(false)
      expect(noted.blocks).deep.equal([])
    })

    it('says when a block came, and which', () => {
      receive(message())
      const now = noted.stub.clock.now()
      expect([peer.last_block_num, peer.last_block_us, peer.last_block_received_us]).deep.equal([
        num,
        now,
        now,
      ])
      expect(noted.stub.state.last_block_received_us).equal(now)
      const [{ received }] = noted.blocks as [(typeof noted.blocks)[0]]
      expect([received.id, received.block_num, received.header.producer]).deep.equal([
        id,
        num,
        block.producer,
      ])
      expect(received.open()).equal(received.open())
      expect(received.open().packed).deep.equal(packed)
      // It is not asked for.
      expect([noted.take(), peer.sync_bytes_received]).deep.equal([[], 0])
    })

    it('that is irreversible here is not taken', () => {
      noted.stub.chain.root = num
      noted.run(() => peer.awaitBlock())
      receive(message())
      expect(link.messages).deep.equal([{ kind: 'block_nack', id }])
      expect([noted.blocks, noted.take(), noted.stub.clock.fire()]).deep.equal([[], [], false])
    })

    it('counts in a synchronization, also if it is irreversible here', () => {
      noted.sync.syncing = true
      receive(message())
      expect(noted.take()).deep.equal([`received 1 ${num} ${age_us}`])
      expect(peer.sync_bytes_received).equal(packed.length + 1)
      expect(noted.blocks).have.length(1)
      noted.stub.chain.root = num
      receive(message())
      expect(noted.take()).deep.equal([`received 1 ${num} ${age_us}`])
      expect([noted.blocks.length, link.take()]).deep.equal([1, []])
    })

    it('counts with its bytes until it is checked, then the peer is read again', () => {
      let ready = 0
      peer.onReady = () => void (ready += 1)
      receive(message())
      expect([peer.blocks_in_progress, ready]).deep.equal([packed.length + 1, 0])
      outcome('added')
      expect([peer.blocks_in_progress, ready]).deep.equal([0, 1])
    })

    it('whose header is right is given to the others, whatever branch it is on', () => {
      for (const what of ['duplicate', 'added', 'appended', 'fork_switch'] as const) {
        start()
        noted.stub.chain.root = num - 1
        const other = open()
        peer.rejections.rejected(1)
        for (let i = 1; i < 20; i++) peer.rejections.rejected(i * 5000)
        noted.stub.clock.set(slotToUs(block.timestamp) + age_us)
        receive(message())
        expect(other.link.take()).deep.equal([])
        outcome(what)
        expect([link.take(), other.link.take()]).deep.equal([[], [`general block ${packed[0]}`]])
        const is_new = what === 'appended' || what === 'fork_switch'
        expect([peer.unique_blocks, peer.rejections.exceeded]).deep.equal([is_new ? 1 : 0, false])
        expect(noted.take()).deep.equal(is_new ? [`new block ${age_us}`] : [])
        expect(noted.dispatcher.addPeerBlock(id, peer.session)).equal(false)
      }
    })

    it('is not given to others while this node catches up', () => {
      const other = open()
      noted.sync.catching_up = true
      receive(message())
      outcome('appended')
      expect([link.take(), other.link.take()]).deep.equal([[], []])
    })

    it('counts as executed when it joins the chain, where blocks are executed when they are irreversible', () => {
      noted.stub.chain.executes_irreversible = true
      receive(message())
      outcome('added')
      expect(noted.take()).deep.equal([`applied ${num} ${age_us}`])
    })

    it('that is invalid or links to nothing is refused, and is not known after that', () => {
      const cases: [BlockOutcome, string][] = [
        [new ChainError('block_validate_exception', 'wrong'), `rejected 1 ${num} true`],
        ['unlinkable', `rejected 1 ${num} false`],
      ]
      for (const [what, told] of cases) {
        receive(message())
        outcome(what)
        expect(noted.take()).deep.equal([told])
        expect(noted.dispatcher.hasBlock(id)).equal(false)
      }
      expect(noted.stub.lines).deep.equal([
        `info peer 1 there:1: sent an invalid block ${num}: wrong`,
      ])
    })

    it('may be signed by no WebAuthn key, and has its shortest form', () => {
      const opened = (changed: Partial<SignedBlock>) => {
        receive(message(packOne(packSignedBlock, { ...block, ...changed })))
        return noted.blocks.pop()!.received.open()
      }
      const signature = block.producer_signature
      const other = Uint8Array.of(2, ...new Uint8Array(65), 0, 0)
      expect(() => opened({ producer_signature: other })).throw(ChainError, 'WebAuthn')
      const with_more = (...additional_block_signatures: Uint8Array[]) => ({
        block_extensions: makeBlockExtensions({ additional_block_signatures }),
      })
      expect(() => opened(with_more(signature, other))).throw(ChainError, 'WebAuthn')
      expect(opened(with_more(signature)).block.producer).equal(block.producer)
      // The number of extensions in two bytes instead of one.
      receive(message(Uint8Array.of(...packed.subarray(0, -1), 0x80, 0)))
      expect(noted.blocks.pop()!.received.open().packed).deep.equal(packed)
      receive(message(Uint8Array.of(...packed, 0)))
      expect(() => noted.blocks.pop()!.received.open()).throw(ChainError)
    })
  })

  describe('that a block was known', () => {
    const nack = (num: number, branch = 0): number => {
      receive({ kind: 'block_nack', id: blockIdOf(num, branch) })
      return peer.consecutive_nacks
    }

    it('counts those of blocks in a row that this node has', () => {
      for (let num = 121; num <= 130; num++) noted.dispatcher.addPeerBlock(blockIdOf(num), 77)
      expect([99, 100, 101].map((num) => nack(num))).deep.equal([0, 1, 1])
      expect([121, 122, 123].map((num) => nack(num))).deep.equal([0, 1, 2])
      expect(nack(125)).equal(0)
      expect(nack(126)).equal(1)
      // One that is not known here says nothing, but is the last.
      expect(nack(127, 1)).equal(1)
      expect(nack(128)).equal(2)
      expect(nack(0)).equal(0)
      expect(peer.last_nack).deep.equal(NO_ID)
    })

    it('says that the peer has it, and is a sign of blocks', () => {
      noted.dispatcher.addPeerBlock(blockIdOf(121), 77)
      peer.last_block_us = 0
      nack(121)
      expect(noted.dispatcher.addPeerBlock(blockIdOf(121), peer.session)).equal(false)
      expect(peer.last_block_us).equal(noted.stub.clock.now())
      nack(100)
      expect(noted.dispatcher.hasBlock(blockIdOf(100))).equal(false)
      peer.last_block_us = 0
      nack(0)
      expect(peer.last_block_us).equal(0)
    })
  })

  describe('of a new block', () => {
    const notice = (num: number, previous = num - 1): void =>
      receive({ kind: 'block_notice', previous: blockIdOf(previous), id: blockIdOf(num) })

    it('is answered by a request if the one before it is not here', () => {
      noted.stub.chain.head = 118
      notice(125)
      expect(link.messages).deep.equal([
        { kind: 'block_nack', id: NO_ID },
        {
          kind: 'request',
          req_trx: noIds(),
          req_blocks: { mode: 'normal', pending: 0, ids: [blockIdOf(124), blockIdOf(118)] },
        },
      ])
      expect([peer.notice_request, peer.last_block_us]).deep.equal([
        blockIdOf(124),
        noted.stub.clock.now(),
      ])
      link.take()
      notice(125)
      expect(link.take()).deep.equal([])
      const other = open()
      noted.receive(other.peer, {
        kind: 'block_notice',
        previous: blockIdOf(124),
        id: blockIdOf(125, 1),
      })
      expect(other.link.take()).deep.equal([])
      noted.receive(other.peer, {
        kind: 'block_notice',
        previous: blockIdOf(125),
        id: blockIdOf(126),
      })
      expect(other.link.take()).deep.equal(['general block_nack', 'general request'])
    })

    it('says that the peer has it', () => {
      noted.dispatcher.addPeerBlock(blockIdOf(125), 77)
      notice(125)
      expect(noted.dispatcher.addPeerBlock(blockIdOf(125), peer.session)).equal(false)
      expect(link.take()).deep.equal([])
    })

    it('that comes soon, or is irreversible here, is not asked for', () => {
      noted.dispatcher.addPeerBlock(blockIdOf(124), 77)
      notice(125)
      expect([link.take(), peer.last_block_us]).deep.equal([[], noted.stub.clock.now()])
      peer.last_block_us = 0
      notice(100)
      expect([link.take(), peer.last_block_us]).deep.equal([[], 0])
    })

    it('that is none ends the connection', () => {
      notice(125, 123)
      expect(link.take()).deep.equal(['close'])
    })
  })

  describe('with a transaction', () => {
    const packedOf = (expiration: number) =>
      makePackedTransaction(
        { expiration, ref_block_num: 0, ref_block_prefix: 0, ...plainTransaction([]) },
        [],
      )
    const transaction = (expiration = 2_000_000_000): void =>
      receive({ kind: 'packed_transaction', packed: packedOf(expiration) })

    it('is executed once, whichever peer sends it', () => {
      transaction()
      expect([noted.transactions.length, noted.transactions[0]!.session]).deep.equal([
        1,
        peer.session,
      ])
      expect(peer.transactions_in_progress).greaterThan(2000)
      transaction()
      const other = open()
      noted.receive(other.peer, { kind: 'packed_transaction', packed: packedOf(2_000_000_000) })
      expect(noted.transactions).have.length(1)
      noted.transactions[0]!.done()
      expect(peer.transactions_in_progress).equal(0)
    })

    it('is dropped while this node catches up, or if it takes none', () => {
      noted.sync.catching_up = true
      transaction()
      expect([noted.transactions, link.take()]).deep.equal([[], []])
      start({ accept_transactions: false })
      transaction()
      expect([noted.transactions, link.take()]).deep.equal([[], []])
    })

    it('ends at its last byte', () => {
      const bytes = encodeMessage({ kind: 'packed_transaction', packed: packedOf(5) })
      for (const wrong of [bytes.subarray(0, -1), Uint8Array.of(...bytes, 0)]) {
        start()
        receive(wrong)
        expect([noted.transactions, link.take()]).deep.equal([[], ['close']])
      }
    })
  })

  describe('with a vote', () => {
    const voteOn = (num: number): NetMessage => ({
      kind: 'vote',
      vote: {
        block_id: blockIdOf(num),
        strong: true,
        finalizer_key: new Uint8Array(96),
        signature: new Uint8Array(192),
      },
    })

    async function result(given: VoteResult, num = 121): Promise<string[]> {
      noted.vote_result = given
      receive(voteOn(num))
      await Promise.resolve()
      await Promise.resolve()
      return link.take()
    }

    it('is given to the others if it is valid and new', async () => {
      const other = open()
      expect([await result('success'), other.link.take()]).deep.equal([[], ['general vote']])
      expect([await result('duplicate'), other.link.take()]).deep.equal([[], []])
      noted.sync.catching_up = true
      expect([await result('success'), other.link.take()]).deep.equal([[], []])
      expect(peer.last_vote_us).equal(noted.stub.clock.now())
      expect(peer.votes_in_progress).equal(0)
    })

    it('ends the connection if it is invalid', async () => {
      for (const wrong of ['unknown_public_key', 'invalid_signature'] as const) {
        start()
        const other = open()
        expect([await result(wrong), other.link.take()]).deep.equal([['close'], []])
      }
    })

    it('waits for its block, on a connection that is open', async () => {
      expect(await result('unknown_block')).deep.equal([])
      expect(noted.network.votes.size).equal(1)
      receive(voteOn(122))
      peer.is_open = false
      await Promise.resolve()
      await Promise.resolve()
      expect(noted.network.votes.size).equal(1)
    })

    it('is dropped if its block is irreversible, or votes are of no use here', async () => {
      await result('success', 100)
      expect([noted.votes.length, peer.last_vote_us]).deep.equal([0, noted.stub.clock.now()])
      Object.assign(noted.stub.chain, { accepts_votes: false })
      await result('success')
      expect(noted.votes).have.length(0)
    })
  })

  it('before the proof of a key is refused, but for those that lead to it', () => {
    start({ allowed: { any: false, producers: true, specified: false } })
    ;({ peer, link } = noted.open())
    receive({ kind: 'time', org: 0n, rec: 0n, xmt: peer.now_ns + 2n ** 60n, dst: 0n })
    expect(link.take()).deep.equal(['time time'])
    receive({ kind: 'block_nack', id: blockIdOf(121) })
    expect([link.take(), peer.last_nack]).deep.equal([['close'], NO_ID])
    ;({ peer, link } = noted.open())
    receive({ kind: 'go_away', reason: 'forked', node_id: NO_ID })
    expect(link.take()).deep.equal(['clear', 'close'])
  })
})
