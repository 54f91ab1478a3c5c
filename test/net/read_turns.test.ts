import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { ReadTurns, type Reading } from '../../src/net/read_turns.ts'

describe('turns of messages', () => {
  let now_us: number
  let turns: ReadTurns
  /** Who had a turn, in order. */
  let order: string[]

  beforeEach(() => {
    now_us = 1e15
    turns = new ReadTurns(() => now_us)
    order = []
  })

  /** A peer with messages, each of which takes so long. */
  class FakeReading implements Reading {
    held = 0
    left: number
    private readonly name: string
    private readonly message_us: number

    constructor(name: string, left: number, message_us: number) {
      this.name = name
      this.left = left
      this.message_us = message_us
    }

    read(): void {
      order.push(this.name)
      now_us += this.message_us
      if (--this.left > 0) turns.wait(this)
    }

    hold(): void {
      this.held += 1
    }
  }

  async function untilDone(...readings: FakeReading[]): Promise<void> {
    while (readings.some(({ left }) => left > 0)) await setImmediate()
  }

  it('all peers together have a bounded time before the rest of the node works', async () => {
    const peers = Array.from({ length: 20 }, (_, i) => new FakeReading(`p${i}`, 3, 5000))
    for (const peer of peers) turns.take(peer)
    expect(order).deep.equal(['p0'])
    let most_us = 0
    while (peers.some(({ left }) => left > 0)) {
      const begin_us = now_us
      await setImmediate()
      most_us = Math.max(most_us, now_us - begin_us)
    }
    expect(most_us).at.most(15_000)
    expect(order).have.length(60)
  })

  it('a peer whose messages take little goes before those that flood', async () => {
    const floods = Array.from({ length: 10 }, () => new FakeReading('flood', 20, 5000))
    for (const flood of floods) turns.take(flood)
    for (let i = 0; i < 5; i++) await setImmediate()
    const honest = new FakeReading('honest', 1, 100)
    turns.take(honest)
    expect(honest.held).equal(1)
    const before = order.length
    await untilDone(honest)
    expect(order.indexOf('honest')).equal(before)
    await untilDone(...floods)
    expect(order).have.length(201)
  })

  it('what a peer took is forgotten in time', async () => {
    const first = new FakeReading('first', 4, 5000)
    turns.take(first)
    await untilDone(first)
    now_us += 20_000_000
    const later = new FakeReading('later', 4, 5000)
    first.left = 4
    turns.take(later)
    turns.take(first)
    await untilDone(first, later)
    expect(order.slice(4)).deep.equal([
      'later',
      'first',
      'later',
      'first',
      'later',
      'first',
      'later',
      'first',
    ])
  })

  it('a peer that leaves has no turn', async () => {
    const [a, b] = [new FakeReading('a', 2, 5000), new FakeReading('b', 2, 5000)]
    turns.take(a)
    turns.take(b)
    turns.leave(b)
    await untilDone(a)
    expect(order).deep.equal(['a', 'a'])
    expect([turns.isWaiting(a), turns.isWaiting(b)]).deep.equal([false, false])
  })
})
