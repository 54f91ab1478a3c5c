import { expect } from 'chai'
import { publicKeyFromString } from '../../../src/engine/protocol/key.ts'
import { nameFromString } from '../../../src/engine/protocol/name.ts'
import { getProducerSchedule, getProducers } from '../../../src/engine/queries/producers.ts'
import { recordedChain } from './recorded_chain.ts'

const KEY = 'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV'
const EMPTY = { version: 0, producers: [] }

const schedule = (version: number, weights: number[]): unknown => ({
  version,
  producers: [
    {
      producer_name: nameFromString('proda'),
      authority: [
        0,
        {
          threshold: 2,
          keys: weights.map((weight) => ({ key: publicKeyFromString(KEY), weight })),
        },
      ],
    },
  ],
})

const PRINTED = (version: number, weights: number[]): unknown => ({
  version,
  producers: [
    {
      producer_name: 'proda',
      authority: [0, { threshold: 2, keys: weights.map((weight) => ({ key: KEY, weight })) }],
    },
  ],
})

const headWith = (active: unknown, pending: unknown): unknown => ({
  active_schedule: active,
  pending_schedule: pending,
})

describe('queries: producers', () => {
  it('returns the schedules of the head, or of the pending block', () => {
    const chain = recordedChain({ head: headWith(schedule(3, [2]), EMPTY) })
    expect(getProducerSchedule(chain)).to.deep.equal({
      active: PRINTED(3, [2]),
      pending: EMPTY,
      proposed: null,
    })
    const pending = {
      active_schedule: schedule(4, [2]),
      pending_schedule: schedule(5, [2]),
    }
    const working = recordedChain({ pending })
    const { db } = working
    db.global_property.modify(db.global_property.single(), (row) => {
      row.proposed_schedule = schedule(6, [1, 1]) as typeof row.proposed_schedule
    })
    expect(getProducerSchedule(working)).to.deep.equal({
      active: PRINTED(4, [2]),
      pending: PRINTED(5, [2]),
      proposed: PRINTED(6, [1, 1]),
    })
  })

  it('answers the active schedule where no contract keeps producers', () => {
    const chain = recordedChain({ head: headWith(schedule(1, [2]), EMPTY) })
    const { db } = chain
    db.account.modify(db.account.get('by_name', nameFromString('eosio')), (row) => {
      row.abi = new Uint8Array(0)
    })
    expect(JSON.stringify(getProducers(chain, { json: true } as never))).to.equal(
      JSON.stringify({
        rows: [
          {
            owner: 'proda',
            producer_authority: [0, { threshold: 2, keys: [{ key: KEY, weight: 2 }] }],
            url: '',
            total_votes: '0.00000000000000000',
            producer_key: KEY,
          },
        ],
        total_producer_vote_weight: '0.00000000000000000',
        more: '',
      }),
    )
    const shared = recordedChain({ head: headWith(schedule(1, [1, 1]), EMPTY) })
    const answer = getProducers(shared, { json: true, limit: 50, lower_bound: 'Not a name' })
    // Two keys share the weight: there is no single one to tell.
    expect((answer['rows'] as object[])[0]).to.not.have.property('producer_key')
  })

  it('takes a number for a bound, and pages', () => {
    const chain = recordedChain()
    const owners: string[] = []
    for (let more: string | number = 0; more !== '';) {
      const page = getProducers(chain, { json: true, limit: 1, lower_bound: more })
      owners.push((page['rows'] as { owner: string }[])[0]!.owner)
      more = page['more'] as string
    }
    expect(owners).to.deep.equal(['prodb', 'proda', 'alice'])
  })
})
