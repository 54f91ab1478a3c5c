import { expect } from 'chai'
import { publicKeyOf, signDigest } from '../../../../src/engine/crypto/keys.ts'
import { BusyError } from '../../../../src/engine/errors.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { bootDevelopmentChain } from '../../../../src/engine/services/production/development/boot.ts'
import { health } from '../../../../src/engine/services/health/health.ts'
import { VotePause } from '../../../../src/engine/services/production/vote_pause.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { slotToUs, usToSlot } from '../../../../src/engine/protocol/time.ts'
import { blsKey } from '../../chain/voting/support.ts'
import { DEVELOPMENT_SECRET } from '../../chain/support/test_chain.ts'
import { FakeClock } from '../support/fake_clock.ts'
import { SECOND_US, TestProducer } from '../support/test_producer.ts'
import { loudEvents } from '../../chain/support/loud_events.ts'

const OWN = 'no recent votes received from configured producer'
const OTHERS = 'no recent votes received from others'

/** Finalizers by their descriptions; the key of each is its number. */
class Votes {
  readonly clock = new FakeClock(slotToUs(1000))
  readonly pause: VotePause
  private readonly events = loudEvents()
  private descriptions: string[] = []
  /** Keys that this node has. */
  readonly keys = new Set<number>()

  constructor(producers: string[], timeout_s = 6) {
    const hasKey = ([key]: Uint8Array): boolean => this.keys.has(key!)
    this.pause = new VotePause(producers.map(N), timeout_s * SECOND_US, this.clock, hasKey)
    this.pause.follow(this.events)
  }

  /** A block with these finalizers; `pending` are those of a policy that is not active yet. */
  block(active: string[], pending: string[] = []): void {
    this.descriptions = [...active, ...pending]
    const finalizer = (description: string) => ({
      description,
      weight: 1n,
      public_key: Uint8Array.of(this.descriptions.indexOf(description)),
    })
    const policy = (names: string[]) => ({ finalizers: names.map(finalizer) })
    this.events.emit('blockAccepted', {
      is_proper_savanna: true,
      timestamp: usToSlot(this.clock.time_us),
      savanna_state: {
        active_finalizer_policy: policy(active),
        pending_finalizer_policy: pending.length > 0 ? [9, policy(pending)] : undefined,
      },
    } as unknown as BlockState)
  }

  vote(description: string): void {
    const finalizer_key = Uint8Array.of(this.descriptions.indexOf(description))
    this.events.emit('voteCast', {
      block_id: new Uint8Array(32),
      strong: true,
      signature: new Uint8Array(192),
      finalizer_key,
    })
  }

  /** Blocks for some seconds, with the votes of these. */
  pass(seconds: number, active: string[], voters: string[] = []): string | undefined {
    for (let i = 0; i < seconds * 2; i++) {
      this.clock.time_us += SECOND_US / 2
      this.block(active)
      for (const voter of voters) this.vote(voter)
    }
    return this.pause.reason()
  }
}

describe('a pause because votes stay out', () => {
  it('says that this node does not vote, where it votes for all finalizers', () => {
    const votes = new Votes(['alice'])
    votes.keys.add(0).add(1)
    const reason = 'no recent votes of this node, which votes for all finalizers'
    expect(votes.pass(20, ['alice', 'a name that is not a producer'])).equal(reason)
    expect(votes.pass(20, ['bob', 'carol'])).equal(reason)
    expect(votes.pass(20, ['bob', 'carol', 'dave'])).equal(OTHERS)
  })

  it('comes when no finalizer of the own producers votes, or none of the others', () => {
    const all = ['alice', 'bob', 'carol']
    expect(new Votes(['alice']).pass(20, all, all)).equal(undefined)
    expect(new Votes(['alice']).pass(20, all, ['bob'])).equal(OWN)
    expect(new Votes(['alice']).pass(20, all, ['alice'])).equal(OTHERS)
    expect(new Votes(['alice']).pass(20, all)).equal('no recent votes')
    expect(new Votes(['alice', 'bob']).pass(20, all, ['bob', 'carol'])).equal(undefined)
  })

  it('does not wait for producers without finalizers', () => {
    expect(new Votes(['alice']).pass(20, ['alice'], ['alice'])).equal(undefined)
    expect(new Votes(['dave']).pass(20, ['bob', 'carol'], ['bob'])).equal(undefined)
    expect(new Votes(['dave']).pass(20, ['bob', 'carol'])).equal(OTHERS)
  })

  it('comes after its time, and ends with a vote', () => {
    const votes = new Votes(['alice'])
    expect(votes.pass(10, ['alice'], ['alice'])).equal(undefined)
    expect(votes.pass(6, ['alice'])).equal(undefined)
    expect(votes.pass(3, ['alice'])).equal(OWN)
    votes.vote('alice')
    expect(votes.pause.reason()).equal(undefined)
  })

  it('counts only with blocks: without blocks it does not start', () => {
    const votes = new Votes(['alice'])
    votes.pass(3, ['alice'], ['alice'])
    votes.clock.time_us += 100 * SECOND_US
    expect(votes.pause.reason()).equal(undefined)
  })

  it('includes pending finalizers, and restarts when their kinds change', () => {
    const votes = new Votes(['alice'])
    votes.pass(20, ['bob'], ['bob'])
    votes.clock.time_us += 2 * SECOND_US
    votes.block(['bob'], ['alice'])
    votes.clock.time_us += 5 * SECOND_US
    expect(votes.pause.reason()).equal(undefined)
    votes.clock.time_us += 2 * SECOND_US
    expect(votes.pause.reason()).equal('no recent votes')
  })

  it('takes a vote for either kind where descriptions name no producer', () => {
    const long = 'the finalizer of somebody'
    expect(new Votes(['alice']).pass(20, ['alice', long], [long])).equal(undefined)
  })

  it('never happens when it is turned off, without producers, or for a vote of an unknown key', () => {
    expect(new Votes(['alice'], 0).pass(20, ['alice'])).equal(undefined)
    expect(new Votes([]).pass(20, ['alice'])).equal(undefined)
    const votes = new Votes(['alice'])
    votes.pass(20, ['alice'])
    votes.vote('mallory')
    expect(votes.pause.reason()).equal(OWN)
  })

  it('stops production, which an operator may resume for another timeout', async () => {
    const test = await TestProducer.start({ pause_vote_timeout_us: 6 * SECOND_US })
    const { loop } = test.producer
    loop.abort()
    bootDevelopmentChain(test.chain, {
      sign: (digest) => signDigest(DEVELOPMENT_SECRET, digest),
      key: publicKeyOf(DEVELOPMENT_SECRET),
      finalizers: [blsKey(1)],
      now_us: test.clock.time_us,
    })
    loop.restart()
    await test.clock.pass(20 * SECOND_US)
    expect(loop.paused).equal(true)
    expect(test.log).include(`warn not producing for eosio: ${OTHERS}`)
    expect(() => health(test.producer, test.chain, test.clock)).throw(BusyError, 'no block for')
    const { head } = test
    await test.clock.pass(10 * SECOND_US)
    expect(test.head).equal(head)
    loop.resume()
    expect(loop.paused).equal(false)
    await test.produce(3)
    await test.clock.pass(20 * SECOND_US)
    expect(loop.paused).equal(true)
    expect(test.head - head).within(10, 20)
    await test.stop()
  })
})
