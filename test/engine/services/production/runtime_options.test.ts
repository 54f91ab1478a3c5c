import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { defaultRules } from '../../../../src/engine/chain/execution/subjective_rules.ts'
import {
  DEFAULT_RUNTIME_OPTIONS,
  describeRuntimeOptions,
  updateRuntimeOptions,
  type RuntimeOptionsUpdate,
} from '../../../../src/engine/services/production/runtime_options.ts'

describe('run-time options', () => {
  const fresh = () => ({ options: { ...DEFAULT_RUNTIME_OPTIONS }, rules: defaultRules() })

  it('answers the reference fields first, with the offset that comes out of whole milliseconds', () => {
    const { options, rules } = fresh()
    const answer = describeRuntimeOptions(options, rules)
    expect(Object.keys(answer).slice(0, 4)).deep.equal([
      'max_transaction_time',
      'max_irreversible_block_age',
      'produce_block_offset_ms',
      'greylist_limit',
    ])
    // What the reference answers for its default of 450.
    expect(answer.produce_block_offset_ms).equal(456)
    expect(answer.incoming_defer_ratio).equal('1.00000000000000000')
    expect(answer).not.property('subjective_cpu_leeway_us')
  })

  it('takes new values over and leaves the others', () => {
    const { options, rules } = fresh()
    updateRuntimeOptions(options, rules, { max_transaction_time: 150, greylist_limit: 900 })
    updateRuntimeOptions(options, rules, { subjective_cpu_leeway_us: 5 })
    const answer = describeRuntimeOptions(options, rules)
    expect(answer).include({
      max_transaction_time: 150,
      greylist_limit: 900,
      subjective_cpu_leeway_us: 5,
      max_irreversible_block_age: -1,
    })
  })

  const wrong: RuntimeOptionsUpdate[] = [
    { produce_block_offset_ms: 6000 },
    { produce_block_offset_ms: -1 },
    { greylist_limit: 0 },
    { greylist_limit: 1001 },
    { produce_time_offset_us: 1 },
    { last_block_time_offset_us: -500_000 },
    { max_scheduled_transaction_time_per_block_ms: -1 },
    { incoming_defer_ratio: -1 },
    { subjective_cpu_leeway_us: -1 },
  ]
  for (const update of wrong) {
    it(`refuses ${JSON.stringify(update)} and changes nothing`, () => {
      const { options, rules } = fresh()
      const all = { max_transaction_time: 1, ...update }
      expect(() => updateRuntimeOptions(options, rules, all)).throw(ChainError)
      expect(options).deep.equal(DEFAULT_RUNTIME_OPTIONS)
      expect(rules.greylist_limit).equal(1000)
    })
  }
})
