import { expect } from 'chai'
import { TimeLoop, type TimeResult } from '../../src/net/time_loop.ts'

const MS = 1_000_000n
/** Nanoseconds since 1970; the clock of the tests stands still. */
const SENT = 1_800_000_000_000_000_000n

interface Trip {
  /** How far the peer's clock is ahead, and how long the ways took, with all queues; milliseconds. */
  ahead: number
  there: number
  back: number
  /** Between the arrival of the ping and the answer. */
  stay?: number
  is_among_blocks?: boolean
}

describe('the times that peers send each other', () => {
  let times: TimeLoop

  beforeEach(() => {
    times = new TimeLoop()
  })

  function ping({ ahead, there, back, stay = 0, is_among_blocks = false }: Trip): TimeResult {
    const { xmt: org } = times.restart(SENT, is_among_blocks)
    const rec = org + BigInt(ahead + there) * MS
    const xmt = rec + BigInt(stay) * MS
    const now = org + BigInt(there + stay + back) * MS
    return times.receive({ kind: 'time', org, rec, xmt, dst: 0n }, now)
  }

  it('the time that a ping or an answer waited behind blocks does not count as a difference of the clocks', () => {
    for (const [there, back] of [
      [0, 60_000],
      [60_000, 0],
      [3, 1500],
      [1500, 3],
    ] as const) {
      times.reset()
      expect(ping({ ahead: 0, there, back, stay: 700 })).deep.equal({ answers: [], measured: true })
    }
  })

  it('a difference of more than a block is reported, as far as it is certain', () => {
    const at = (trip: Trip) => ping(trip).offset_us
    expect(at({ ahead: 5000, there: 10, back: 10 })).equal(4_990_000)
    expect(at({ ahead: -5000, there: 10, back: 10 })).equal(-4_990_000)
    expect(at({ ahead: 5001, there: 4000, back: 10, stay: 3000 })).equal(4_991_000)
    expect(at({ ahead: 5002, there: 10, back: 4000 })).equal(1_002_000)
    expect(at({ ahead: -5001, there: 4000, back: 10 })).equal(-1_001_000)
    expect(at({ ahead: -5002, there: 10, back: 4000 })).equal(-4_992_000)
    expect(at({ ahead: 502, there: 1, back: 1 })).equal(501_000)
    expect(at({ ahead: 499, there: 1, back: 1 })).equal(undefined)
    expect(at({ ahead: -499, there: 1, back: 1 })).equal(undefined)
  })

  it('a round trip among blocks counts if it is shorter than the last one', () => {
    const measured = (back: number, is_among_blocks: boolean) => {
      ping({ ahead: 0, there: 1, back, is_among_blocks })
      return times.ping_us
    }
    expect(measured(6000, true)).equal(6_001_000)
    expect(measured(9, true)).equal(10_000)
    expect(measured(3000, true)).equal(10_000)
    expect(measured(19, false)).equal(20_000)
    times.reset()
    expect(times.ping_us).equal(Infinity)
  })

  it('an answer to another ping, the same one again and one without a time measure nothing', () => {
    const { xmt: org } = times.restart(SENT, false)
    const answer = { kind: 'time', org, rec: org, xmt: org + MS, dst: 0n } as const
    const nothing = { answers: [], measured: false }
    expect(times.receive({ ...answer, org: org + 1n }, org + MS)).deep.equal(nothing)
    expect(times.receive({ ...answer, xmt: 0n }, org + MS)).deep.equal(nothing)
    expect(times.ping_us).equal(Infinity)
    expect(times.receive(answer, org + MS).measured).equal(true)
    expect(times.receive(answer, org + MS)).deep.equal(nothing)
  })

  it('a ping of the peer is answered with the time at which it was read', () => {
    const xmt = SENT - 3000n * MS
    const { answers } = times.receive({ kind: 'time', org: 0n, rec: 0n, xmt, dst: 0n }, SENT)
    expect(answers).deep.equal([{ kind: 'time', org: xmt, rec: SENT, xmt: SENT, dst: 0n }])
  })

  const answerTo = (org: bigint, fields: { rec?: bigint; xmt?: bigint } = {}) => ({
    ...{ kind: 'time' as const, org, rec: org, xmt: org + 1n, dst: 0n },
    ...fields,
  })

  it('only the answer to the last ping counts, and once', () => {
    const { xmt: first } = times.restart(SENT, false)
    const { xmt: second } = times.restart(SENT + MS, false)
    expect(times.receive(answerTo(first), SENT + 2n * MS).measured).equal(false)
    expect(times.ping_us).equal(Infinity)
    expect(times.receive(answerTo(second), SENT + 2n * MS).measured).equal(true)
    expect(times.ping_us).equal(1000)
    expect(times.receive(answerTo(second, { xmt: second + 2n }), SENT + 9n * MS).measured).equal(
      false,
    )
    expect(times.ping_us).equal(1000)
  })

  it('what was measured does not count on the next connection, nor do answers to its pings', () => {
    const { xmt } = times.restart(SENT, false)
    times.receive(answerTo(xmt), SENT + MS)
    const { xmt: later } = times.restart(SENT + MS, false)
    times.reset()
    expect(times.ping_us).equal(Infinity)
    expect(times.receive(answerTo(later, { xmt: later + 2n }), SENT + 2n * MS).measured).equal(
      false,
    )
  })

  it('times of old programs in other units are understood, later than 2023 alone', () => {
    /** How far the clock of a peer is ahead, which tells its time divided so. */
    const ahead = (divisor: bigint, earliest = false): number | undefined => {
      const begin = earliest ? 1_686_211_688_000_000_000n : SENT
      const { xmt: org } = times.restart(begin, false)
      const there = org + 10_000n * MS
      const told = { rec: there / divisor, xmt: (there + 1_000_000_000n) / divisor }
      return times.receive(answerTo(org, told), org + 1_000_000_000n).offset_us
    }
    for (const divisor of [1n, 1000n, 1_000_000n, 1_000_000_000n]) {
      times = new TimeLoop()
      expect(ahead(divisor), String(divisor)).within(9_000_000, 10_000_000)
    }
    times = new TimeLoop()
    const { xmt: org } = times.restart(SENT, false)
    // A second before the first one is not a time: it is as good as none.
    const answer = answerTo(org, { rec: 1_686_211_687n, xmt: 1_686_211_687n })
    expect(times.receive(answer, SENT).measured).equal(false)
    const first = answerTo(org, { rec: 1_686_211_688n, xmt: 1_686_211_688n })
    expect(times.receive(first, SENT).measured).equal(true)
  })

  it('clocks that are half a second apart do not differ', () => {
    const offset = (ahead: bigint): number | undefined => {
      const { xmt: org } = times.restart(SENT, false)
      return times.receive(answerTo(org, { rec: org + ahead, xmt: org + ahead }), org).offset_us
    }
    expect(offset(500n * MS)).equal(undefined)
    expect(offset(500n * MS + 1000n)).equal(500_001)
    expect(offset(-500n * MS)).equal(undefined)
    expect(offset(-500n * MS - 1000n)).equal(-500_001)
  })
})
