import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { unpackRequest } from '../../../../src/engine/services/state_history/protocol.ts'

const ROUNDS = 20_000
/** Kinds of requests; there are five. */
const KINDS = 5

/** Numbers that are the same in each run. */
function* numbers(): Generator<number, never> {
  let state = 16
  for (;;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    yield state >>> 8
  }
}

describe('requests of state history that are random bytes', () => {
  it('are read, or refused with an error of the reference', () => {
    const random = numbers()
    const next = (below: number): number => random.next().value % below
    const outcomes = new Map<string, number>()
    const count = (outcome: string): void =>
      void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = Uint8Array.from({ length: next(200) }, () => next(256))
      if (bytes.length > 0 && round % 4 > 0) bytes[0] = next(KINDS)
      // A short list of positions, which often fits, and flags.
      if (bytes.length > 13 && round % 2 > 0) {
        bytes[13] = next(4)
        for (let at = 14 + 36 * bytes[13]; at < bytes.length; at++) bytes[at] = next(2)
      }
      try {
        const read = unpackRequest(bytes)
        count(read.kind)
        if (read.kind !== 'blocks') continue
        const { have_positions } = read.request
        expect(have_positions.bytes_count).at.most(bytes.length)
        for (let i = 0; i < have_positions.count; i++) {
          expect(have_positions.at(i).block_id).have.length(32)
        }
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        count(error.errorName)
      }
    }
    expect([...outcomes.keys()].sort()).deep.equal([
      'ack',
      'assert_exception',
      'blocks',
      'out_of_range_exception',
      'status',
    ])
    for (const [outcome, times] of outcomes) expect(times, outcome).greaterThan(100)
  })
})
