/** The blocks that a peer is sent when it asks for them. */
import { expect } from 'chai'
import { noIds } from '../../src/engine/protocol/net/message.ts'
import { BlockSender } from '../../src/net/block_sender.ts'
import { NO_ID } from '../../src/net/network_state.ts'
import { StubNetwork, blockIdOf, type StubPeer } from './support/stub_peer.ts'

const SECOND_US = 1_000_000
/** A framed message with a block of a chain of ids. */
const BLOCK_SIZE = 6

describe('the blocks that a peer asks for', () => {
  let stub: StubNetwork
  let peer: StubPeer
  let sender: BlockSender
  let refused: number

  function start(rate_limit = 0): void {
    stub = new StubNetwork()
    peer = stub.peer()
    refused = 0
    sender = new BlockSender(stub.state, peer, rate_limit, () => void (refused += 1))
  }

  beforeEach(() => start())

  /** The blocks that are sent when all before were, at most so many. */
  function sent(most = 200): string {
    const nums: string[] = []
    for (let i = 0; i < most; i++) {
      const [done] = peer.take()
      if (done === undefined) break
      nums.push(done.replace('sync block ', ''))
      sender.written()
    }
    return nums.length > 2 ? `${nums[0]} to ${nums.at(-1)}` : nums.join(' ')
  }

  it('of a span are sent one after the other, and count', () => {
    sender.request(101, 103)
    expect(peer.take()).deep.equal(['sync block 101'])
    stub.pass(SECOND_US)
    sender.written()
    expect(peer.take()).deep.equal(['sync block 102'])
    expect([sender.bytes_sent, peer.last_block_us]).deep.equal([2 * BLOCK_SIZE, stub.clock.now()])
    sender.written()
    expect(sent()).equal('103')
    sender.request(105, 105)
    expect(sent()).equal('105')
  })

  it('of another span make the first longer', () => {
    sender.request(101, 103)
    sender.request(110, 112)
    sender.request(101, 102)
    expect(sent()).equal('101 to 112')
  })

  it('that are not here end the connection, but for those after a fork', () => {
    sender.request(119, 125)
    expect([sent(), refused]).deep.equal(['119 120', 1])
    sender.written()
    expect(refused).equal(1)
    sender.request(0, 5)
    expect([sent(), refused]).deep.equal(['', 2])
    peer.root_num = 110
    const { packedBlock } = stub.chain
    stub.chain.packedBlock = (num) => (num < 114 ? packedBlock.call(stub.chain, num) : undefined)
    sender.requestBranch(blockIdOf(112))
    expect([sent(), refused]).deep.equal(['113', 2])
    sender.requestAfterNotice(blockIdOf(120), blockIdOf(112))
    expect([sent(), refused]).deep.equal(['112 113', 2])
  })

  describe('after its head', () => {
    const branch = (...id: Parameters<typeof blockIdOf>): string => {
      sender.requestBranch(blockIdOf(...id))
      return sent()
    }

    beforeEach(() => {
      peer.root_num = 110
    })

    it('are those that follow it, up to the head of this node', () => {
      stub.chain.fork_head = 130
      expect(branch(115)).equal('116 to 120')
    })

    it('are those after its last irreversible one, if its head is on another branch or not named', () => {
      expect(branch(115, 1)).equal('111 to 120')
      sender.requestBranch(NO_ID)
      expect(sent()).equal('111 to 120')
      peer.root_num = 1
      sender.requestBranch(NO_ID)
      expect(sent()).equal('2 to 120')
    })

    it('are none if its head is not known here: the connection ends', () => {
      expect([branch(121), refused]).deep.equal(['', 1])
      expect(peer.lines).deep.equal([
        'info requests blocks after block 121, which this node does not know',
      ])
    })

    it('are none before its handshake, or if this node has none; that is said', () => {
      peer.root_num = 0
      expect([branch(115), refused]).deep.equal(['', 0])
      peer.root_num = 110
      stub.chain.head = 0
      sender.requestBranch(blockIdOf(115))
      expect(peer.takeMessages()).deep.equal([
        { kind: 'notice', known_trx: noIds(), known_blocks: { ...noIds(), mode: 'normal' } },
      ])
    })

    it('are none if it has all', () => {
      expect(branch(120)).equal('')
      expect(branch(119)).equal('120')
    })
  })

  describe('after a notice of a block', () => {
    it('begin with its head, if this node has the block that it names', () => {
      sender.requestAfterNotice(blockIdOf(118), blockIdOf(115))
      expect(sent()).equal('115 to 120')
      sender.requestAfterNotice(blockIdOf(118), blockIdOf(120))
      expect(sent()).equal('120')
      sender.requestAfterNotice(blockIdOf(118), blockIdOf(121))
      expect(sent()).equal('')
    })

    it('begin with the last irreversible one, if it is on another branch or not known', () => {
      for (const id of [blockIdOf(118, 1), blockIdOf(125)]) {
        sender.requestAfterNotice(id, blockIdOf(115))
        expect(sent()).equal('100 to 120')
      }
    })

    it('are a hundred at most', () => {
      for (const [first, what] of [
        [21, '21 to 120'],
        [20, ''],
        [1, ''],
        [0, ''],
      ] as const) {
        sender.requestAfterNotice(blockIdOf(118), blockIdOf(first))
        expect([sent(), refused]).deep.equal([what, 0])
      }
      stub.chain.head = stub.chain.fork_head = 50
      for (const first of [1, 0]) {
        sender.requestAfterNotice(blockIdOf(40), blockIdOf(first))
        expect(sent()).equal(first === 1 ? '1 to 50' : '')
      }
    })
  })

  describe('while others are sent', () => {
    it('of a branch that is in the span change nothing', () => {
      peer.root_num = 110
      sender.request(101, 120)
      sender.requestBranch(blockIdOf(115))
      sender.requestBranch(blockIdOf(101))
      expect(sent()).equal('101 to 120')
    })

    it('of a branch that has more begin after the head of the peer', () => {
      peer.root_num = 110
      sender.request(101, 119)
      sender.requestBranch(blockIdOf(115))
      expect(peer.take()).deep.equal(['sync block 101'])
      sender.written()
      expect(sent()).equal('116 to 120')
      sender.request(114, 120)
      expect(peer.take()).deep.equal(['sync block 114'])
      // The block before the span is missing.
      sender.requestBranch(blockIdOf(112))
      sender.written()
      expect(sent()).equal('113 to 120')
      sender.request(113, 120)
      expect(peer.take()).deep.equal(['sync block 113'])
      sender.requestBranch(blockIdOf(112))
      sender.written()
      expect(sent()).equal('114 to 120')
    })

    it('of another branch begin after what was sent, or the last irreversible one of the peer', () => {
      for (const [root_num, what] of [
        [110, '103 to 125'],
        [90, '91 to 125'],
      ] as const) {
        start()
        stub.chain.fork_head = 125
        peer.root_num = root_num
        sender.request(101, 125)
        peer.take()
        sender.written()
        peer.take()
        stub.chain.head = 126
        stub.chain.fork_head = 126
        sender.requestBranch(NO_ID)
        sender.written()
        expect(sent(), String(root_num)).equal(what.replace('125', '126'))
      }
      start()
      peer.root_num = 110
      stub.chain.fork_head = 125
      sender.request(112, 125)
      peer.take()
      sender.requestBranch(NO_ID)
      sender.written()
      // The end stays that of the span.
      expect(sent()).equal('111 to 125')
    })

    it('that are withdrawn are no more, and the next ones wait until what is on its way was sent', () => {
      sender.request(101, 120)
      peer.take()
      sender.cancel()
      sender.request(105, 106)
      expect(peer.take()).deep.equal([])
      sender.written()
      expect(sent()).equal('105 106')
    })

    it('are forgotten with the connection', () => {
      sender.request(101, 120)
      peer.take()
      sender.reset()
      sender.written()
      expect(peer.take()).deep.equal([])
      sender.request(105, 106)
      sender.reset()
      peer.take()
      sender.request(107, 107)
      expect(sent()).equal('107')
    })
  })

  describe('by the rate of the listener', () => {
    /** A rate at which a block takes a second. */
    const RATE = BLOCK_SIZE

    beforeEach(() => {
      start(RATE)
      peer.syncing_from_us = true
    })

    /** Time passes, with its alarms. */
    function pass(us: number): string {
      const until = stub.clock.now() + us
      while (stub.clock.fire(until)) sender.written()
      stub.clock.set(until)
      return sent(1)
    }

    it('wait until it is kept, and are looked at every 100 ms', () => {
      sender.request(101, 105)
      expect([sender.throttled, sent(1)]).deep.equal([false, '101'])
      expect([sender.throttled, peer.take()]).deep.equal([true, []])
      expect(pass(SECOND_US - 1)).equal('')
      expect(pass(1)).equal('')
      // A block in a second is the rate, so more time must have passed.
      expect(pass(100_000)).equal('102')
      expect(sender.throttled).equal(true)
      expect(pass(800_000)).equal('')
      expect(stub.clock.fire()).equal(true)
      expect(stub.clock.fire()).equal(true)
      expect([sender.throttled, peer.take()]).deep.equal([false, ['sync block 103']])
    })

    it('do not wait if there is no rate, or the peer does not synchronize', () => {
      peer.syncing_from_us = false
      sender.request(101, 105)
      expect([sent(), sender.throttled]).deep.equal(['101 to 105', false])
      start(0)
      peer.syncing_from_us = true
      sender.request(101, 105)
      expect([sent(), sender.throttled]).deep.equal(['101 to 105', false])
    })

    it('are counted for each span', () => {
      sender.request(101, 101)
      expect(sent()).equal('101')
      sender.request(102, 103)
      expect([sent(), sender.throttled]).deep.equal(['102', true])
      sender.cancel()
      expect(sender.throttled).equal(false)
      expect(pass(10 * SECOND_US)).equal('')
      stub.pass(SECOND_US)
      sender.request(104, 105)
      expect([sent(), sender.throttled]).deep.equal(['104', true])
    })
  })
})
