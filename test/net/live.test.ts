/** Blocks, transactions and votes after the synchronization. */
import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { ChainError } from '../../src/engine/errors.ts'
import { blockNumFromId } from '../../src/engine/protocol/block.ts'
import { bytesEqual } from '../../src/engine/protocol/hex.ts'
import {
  COMPRESSION_ZLIB,
  makePackedTransaction,
  openPackedTransaction,
} from '../../src/engine/protocol/packed_transaction.ts'
import type { VoteResult } from '../../src/engine/protocol/vote.ts'
import {
  MAX_ALL_TRANSACTIONS_IN_PROGRESS,
  MAX_TRANSACTIONS_IN_PROGRESS,
  TRANSACTION_OVERHEAD,
} from '../../src/net/network_options.ts'
import { FakeChain, FakeNetwork, brief, type FakeLink } from './support/fake_peers.ts'
import { plainTransaction } from '../../src/engine/protocol/transaction.ts'

const id = (byte: number) => new Uint8Array(32).fill(byte)
const NACK_RESET = 'block_nack 00000000'

describe('what peers give each other', () => {
  let chain: FakeChain
  let fake: FakeNetwork
  let links: FakeLink[]

  beforeEach(() => {
    chain = new FakeChain(100)
    fake = new FakeNetwork(chain)
    links = [1, 2, 3].map((n) => connected(n))
  })

  function connected(n: number): FakeLink {
    const link = fake.peer()
    fake.receive(link, fake.handshake({ node_id: id(0x70 + n) }))
    link.take()
    return link
  }

  const briefs = () => links.map((link) => link.take().map(brief))

  it('a block of a peer is given to the others once, before it is executed', () => {
    chain.executes = false
    const [a, b] = links
    fake.receive(a!, fake.blockMessage(101))
    expect(briefs()).deep.equal([[], ['block 101'], ['block 101']])
    expect(chain.head).equal(100)
    fake.receive(b!, fake.blockMessage(101))
    expect(briefs()).deep.equal([[], ['block_nack 00000065'], []])
    chain.execute(101)
    expect(briefs()).deep.equal([[], [], []])
  })

  it('a peer that has blocks earlier gets notices, until it asks for blocks again', () => {
    const [a, b] = links
    for (let num = 101; num <= 105; num++) {
      fake.receive(a!, fake.blockMessage(num))
      fake.receive(b!, { kind: 'block_nack', id: chain.ids[num - 1]! })
    }
    briefs()
    fake.receive(a!, fake.blockMessage(106))
    expect(briefs()[1]).deep.equal(['block_notice'])
    fake.receive(b!, { kind: 'block_nack', id: id(0) })
    fake.receive(a!, fake.blockMessage(107))
    expect(briefs()[1]).deep.equal(['block 107'])
  })

  it('blocks of a producer of this node are always sent whole', () => {
    const [a, b] = links
    for (let num = 101; num <= 105; num++) {
      fake.receive(a!, fake.blockMessage(num))
      fake.receive(b!, { kind: 'block_nack', id: chain.ids[num - 1]! })
    }
    briefs()
    // Every producer of the recorded chain.
    chain.producesFor = () => true
    fake.receive(a!, fake.blockMessage(106))
    expect(briefs()[1]).deep.equal(['block 106'])
  })

  it('a notice of a block whose previous one is not here is answered by a request, once', () => {
    const [a, b, c] = links
    const notice = { kind: 'block_notice', previous: chain.ids[104]!, id: chain.ids[105]! } as const
    fake.receive(a!, notice)
    fake.receive(b!, notice)
    expect(briefs()).deep.equal([[NACK_RESET, 'request normal'], [], []])
    fake.receive(c!, { ...notice, previous: chain.ids[103]! })
    expect(c!.is_closed).equal(true)
  })

  it('a block that links to nothing is refused with a handshake, and an invalid one ends the connection', () => {
    const [a, b] = links
    fake.pass(1_000_000)
    fake.receive(a!, fake.blockMessage(120))
    expect(briefs()).deep.equal([['handshake'], [], []])
    chain.takeBlock = (_block, outcome) =>
      outcome(new ChainError('block_validate_exception', 'wrong'))
    fake.receive(b!, fake.blockMessage(101))
    expect([a!.is_closed, b!.is_closed, b!.reconnects]).deep.equal([false, true, false])
    // Not the block; whole blocks are asked for, because a source of blocks is lost.
    expect(briefs()[2]).deep.equal([NACK_RESET])
  })

  it('many blocks that link to nothing end the connection', () => {
    const [a] = links
    for (let i = 0; i < 20 && !a!.is_closed; i++) {
      fake.receive(a!, fake.blockMessage(120))
      fake.pass(5000)
    }
    expect(a!.is_closed).equal(true)
  })

  it('irreversible blocks are not taken', () => {
    fake.receive(links[0]!, fake.blockMessage(50))
    expect(briefs()[0]).deep.equal(['block_nack 00000032'])
  })

  function transaction(expiration: number) {
    return makePackedTransaction(
      {
        expiration,
        ref_block_num: 0,
        ref_block_prefix: 0,
        ...plainTransaction([]),
      },
      [],
    )
  }

  it('a transaction is executed once, and given to the others when it was', () => {
    const [a, b] = links
    const expiration = Math.floor(fake.clock.now() / 1e6) + 100
    const packed = transaction(expiration)
    fake.receive(a!, { kind: 'packed_transaction', packed })
    fake.receive(b!, { kind: 'packed_transaction', packed })
    expect(chain.transactions).have.length(1)
    expect(briefs()).deep.equal([[], [], []])
    const sent = { id: id(8), expiration, packed }
    fake.network.transactionAccepted(sent)
    fake.network.transactionAccepted(sent)
    expect(briefs()).deep.equal([1, 2, 3].map(() => ['packed_transaction']))
    fake.pass(20_000_000)
    fake.network.dispatcher.expire()
    fake.network.transactionAccepted(sent)
    expect(briefs().flat()).have.length(3)
  })

  it('transactions are not sent to peers of blocks, nor blocks to peers of transactions', () => {
    const trx = fake.peer()
    fake.receive(trx, fake.handshake({ node_id: id(0x81), p2p_address: 'there:1:trx' }))
    const blk = fake.peer()
    fake.receive(blk, fake.handshake({ node_id: id(0x82), p2p_address: 'there:1:blk' }))
    trx.take()
    blk.take()
    fake.receive(links[0]!, fake.blockMessage(101))
    const packed = transaction(0xffffffff)
    fake.network.transactionAccepted({ id: id(8), expiration: 0xffffffff, packed })
    expect(trx.take().map(brief)).deep.equal(['packed_transaction'])
    expect(blk.take().map(brief)).deep.equal(['block 101'])
  })

  it('transactions are dropped where this node takes none', () => {
    const none = new FakeNetwork(new FakeChain(100), { accept_transactions: false })
    const link = none.peer()
    none.receive(link, none.handshake())
    none.receive(link, { kind: 'packed_transaction', packed: transaction(0xffffffff) })
    expect(none.chain.transactions).deep.equal([])
    expect(link.is_closed).equal(false)
  })

  it('a flood of transactions in execution needs a bounded memory, and costs the peer its own alone', () => {
    const [a, b] = links
    let taken = 0
    const finish: (() => void)[] = []
    chain.takeTransaction = (_transaction, _session, done) => {
      taken += 1
      finish.push(done)
    }
    const most = Math.ceil(MAX_TRANSACTIONS_IN_PROGRESS / TRANSACTION_OVERHEAD)
    for (let i = 0; i < most; i++) {
      fake.receive(a!, { kind: 'packed_transaction', packed: transaction(1e9 + i) })
    }
    expect(taken).lessThan(most)
    expect(fake.network.dropped_transactions).equal(most - taken)
    const lines = () => fake.log.filter((text) => text.includes('which were dropped'))
    expect(lines()).have.length(1)
    expect(lines()[0]).match(/it sent 1 more/)
    fake.pass(1_000_000)
    fake.receive(a!, { kind: 'packed_transaction', packed: transaction(1e9 - 1) })
    expect(lines()).have.length(2)
    expect(lines()[1]).match(new RegExp(`it sent ${most - taken} more`))
    const before = taken
    fake.receive(b!, { kind: 'packed_transaction', packed: transaction(2e9) })
    expect(taken).equal(before + 1)
    for (const done of finish) done()
    fake.receive(a!, { kind: 'packed_transaction', packed: transaction(2e9 + 1) })
    expect(taken).equal(before + 2)
    expect(a!.is_closed).equal(false)
  })

  it('memory of connections that ended counts until it is given back', () => {
    const [a, b] = links
    const finish: (() => void)[] = []
    chain.takeTransaction = (_transaction, _session, done) => void finish.push(done)
    fake.receive(a!, { kind: 'packed_transaction', packed: transaction(1e9) })
    const { limit } = fake.network.transaction_memory
    fake.network.transaction_memory.take(MAX_ALL_TRANSACTIONS_IN_PROGRESS)
    fake.network.state.tasks.run(() => a!.peer.close(false))
    fake.receive(b!, { kind: 'packed_transaction', packed: transaction(1e9 + 1) })
    fake.receive(b!, { kind: 'packed_transaction', packed: transaction(1e9 + 2) })
    expect(finish).have.length(2)
    expect(fake.network.dropped_transactions).equal(1)
    for (const done of finish) done()
    fake.network.transaction_memory.give(MAX_ALL_TRANSACTIONS_IN_PROGRESS)
    expect(fake.network.transaction_memory.limit).equal(limit)
  })

  it('compressed transactions count with what they become', () => {
    const [a] = links
    let taken = 0
    chain.takeTransaction = () => void (taken += 1)
    const large = (expiration: number) => {
      const trx = openPackedTransaction(transaction(expiration)).trx
      const data = new Uint8Array(500_000)
      trx.actions = [{ account: 1n, name: 1n, authorization: [], data }]
      return makePackedTransaction(trx, [], [], COMPRESSION_ZLIB)
    }
    for (let i = 0; i < 200; i++) {
      fake.receive(a!, { kind: 'packed_transaction', packed: large(1e9 + i) })
    }
    expect(taken).within(110, 135)
  })

  it('a transaction whose compressed bytes are broken ends the connection', () => {
    const broken = [
      { ...transaction(1e9), compression: COMPRESSION_ZLIB },
      { ...transaction(1e9), compression: 2 },
      {
        ...transaction(1e9),
        compression: COMPRESSION_ZLIB,
        packed_trx: deflateSync(new Uint8Array(2e7)),
      },
      {
        ...transaction(1e9),
        compression: COMPRESSION_ZLIB,
        packed_trx: deflateSync(transaction(1e9).packed_trx).subarray(0, 10),
      },
    ]
    for (const packed of broken) {
      const link = fake.peer()
      fake.receive(link, fake.handshake({ node_id: id(0x90 + fake.links.length) }))
      fake.receive(link, { kind: 'packed_transaction', packed })
      expect(link.is_closed).equal(true)
    }
    expect(chain.transactions).deep.equal([])
  })

  const vote = {
    kind: 'vote' as const,
    vote: {
      block_id: id(3),
      strong: true,
      finalizer_key: new Uint8Array(96),
      signature: new Uint8Array(192),
    },
  }

  it('a valid vote is given to the others, an invalid one ends the connection', async () => {
    chain.accepts_votes = true
    const results: [VoteResult, string[][], boolean][] = [
      ['success', [[], ['vote'], ['vote']], false],
      ['duplicate', [[], [], []], false],
      ['unknown_block', [[], [], []], false],
      ['invalid_signature', [[], [NACK_RESET], [NACK_RESET]], true],
    ]
    for (const [result, sent, closed] of results) {
      chain.vote_result = result
      fake.receive(links[0]!, vote)
      await Promise.resolve()
      await Promise.resolve()
      expect(briefs()).deep.equal(sent)
      expect(links[0]!.is_closed).equal(closed)
    }
    chain.vote_result = 'unknown_public_key'
    fake.receive(links[1]!, vote)
    await Promise.resolve()
    expect(links[1]!.is_closed).equal(true)
  })

  it('a vote is dropped where none are taken', async () => {
    fake = new FakeNetwork(chain, { accept_votes: false })
    links = [1, 2].map((n) => connected(n))
    chain.accepts_votes = false
    fake.receive(links[0]!, vote)
    await Promise.resolve()
    await Promise.resolve()
    expect(briefs()).deep.equal([[], []])
    expect(links[0]!.is_closed).equal(false)
  })

  /** Votes on blocks that the chain does not have are unknown; the others are taken and counted. */
  function takesVotesOnKnownBlocks(): { taken: number } {
    const counted = { taken: 0 }
    chain.accepts_votes = true
    chain.takeVote = async ({ block_id }) => {
      const known = chain.blockId(blockNumFromId(block_id))
      if (known === undefined || !bytesEqual(known, block_id)) return 'unknown_block'
      counted.taken += 1
      return 'success'
    }
    return counted
  }

  const voteOn = (num: number) => ({
    ...vote,
    vote: { ...vote.vote, block_id: chain.ids[num - 1]! },
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('a vote that came before its block counts when the block comes, and is given to the others', async () => {
    takesVotesOnKnownBlocks()
    const [a, b] = links
    fake.receive(a!, voteOn(101))
    fake.receive(a!, voteOn(102))
    await settled()
    expect(briefs()).deep.equal([[], [], []])
    fake.receive(b!, fake.blockMessage(101))
    await settled()
    expect(briefs()).deep.equal([['block 101'], ['vote'], ['block 101', 'vote']])
    expect(fake.network.votes.size).equal(1)
  })

  it('a vote that came before a block of this node counts as well', async () => {
    takesVotesOnKnownBlocks()
    fake.receive(links[0]!, voteOn(101))
    await settled()
    chain.fork_head = 101
    chain.execute(101)
    await settled()
    expect(briefs()).deep.equal([['block 101'], ['block 101', 'vote'], ['block 101', 'vote']])
  })

  it('a vote waits for its block for five seconds, and no longer than its connection', async () => {
    const counted = takesVotesOnKnownBlocks()
    const [a, b, c] = links
    fake.receive(a!, voteOn(101))
    await settled()
    fake.pass(5_000_000)
    fake.receive(b!, voteOn(101))
    await settled()
    expect(fake.network.votes.size).equal(1)
    fake.network.state.tasks.run(() => b!.peer.close(false))
    expect(fake.network.votes.size).equal(0)
    fake.receive(c!, fake.blockMessage(101))
    await settled()
    expect(counted.taken).equal(0)
  })

  it('many votes on unknown blocks end the connection, and their memory is bounded', async () => {
    takesVotesOnKnownBlocks()
    const [a, b] = links
    fake.receive(b!, voteOn(101))
    for (let i = 0; i < 2500; i++) fake.receive(a!, vote)
    await settled()
    expect([a!.is_closed, fake.network.votes.size]).deep.equal([false, 2501])
    fake.receive(a!, vote)
    await settled()
    expect([a!.is_closed, fake.network.votes.size]).deep.equal([true, 1])
    expect(b!.is_closed).equal(false)
  })

  it('a vote on an irreversible block is passed over', async () => {
    takesVotesOnKnownBlocks()
    const [a] = links
    const other = { ...vote, vote: { ...vote.vote, block_id: id(0) } }
    for (const message of [voteOn(100), other]) fake.receive(a!, message)
    await settled()
    expect([a!.is_closed, fake.network.votes.size]).deep.equal([false, 0])
    expect(briefs()).deep.equal([[], [], []])
  })

  it('a peer whose votes are in verification is not read', () => {
    chain.accepts_votes = true
    const pending: (() => void)[] = []
    chain.takeVote = () => new Promise((resolve) => pending.push(() => resolve('duplicate')))
    const [a] = links
    for (let i = 0; i < 64; i++) fake.receive(a!, vote)
    expect(a!.peer.busy).equal(true)
    expect(links[1]!.peer.busy).equal(false)
    expect(pending).have.length(64)
  })

  it('what a peer had before its connection was made again is sent to it again', () => {
    const link = fake.peer({ address: 'there:9' })
    const open = () => {
      fake.receive(link, fake.handshake({ node_id: id(0x83) }))
      link.take()
    }
    open()
    const packed = transaction(0xffffffff)
    const sent = { id: id(8), expiration: 0xffffffff, packed }
    fake.network.transactionAccepted(sent)
    expect(link.take().map(brief)).deep.equal(['packed_transaction'])
    link.close(false)
    link.is_closed = false
    fake.network.state.tasks.run(() => link.peer.opened())
    open()
    fake.network.transactionAccepted(sent)
    expect(link.take().map(brief)).deep.equal(['packed_transaction'])
    fake.network.transactionAccepted(sent)
    expect(link.take()).deep.equal([])
  })
})
