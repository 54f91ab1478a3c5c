import { expect } from 'chai'
import fc from 'fast-check'
import {
  addPendingRamUsage,
  addTransactionUsage,
  elasticLimit,
  getAccountCpuLimit,
  getAccountLimits,
  getAccountNetLimit,
  getBlockCpuLimit,
  getBlockNetLimit,
  isUnlimitedCpu,
  processAccountLimitUpdates,
  processBlockUsage,
  setAccountLimits,
  setBlockParameters,
  updateAccountUsage,
  verifyAccountRamUsage,
} from '../../../../../src/engine/chain/rules/resource_limits.ts'
import { N } from '../../../../../src/engine/protocol/name.ts'
import { RuleChain } from '../../support/rule_chain.ts'
import { NaiveLimits } from './naive_limits.ts'

const ALICE = N('alice')
const BOB = N('bob')
const limits = (ram_bytes: bigint, net_weight: bigint, cpu_weight: bigint) => ({
  ram_bytes,
  net_weight,
  cpu_weight,
})

describe('resource limits', () => {
  let chain: RuleChain

  beforeEach(() => {
    chain = new RuleChain()
    chain.newAccount('alice')
    chain.newAccount('bob')
  })

  it('keep changes of limits pending until the block ends', () => {
    const { db } = chain
    expect(getAccountLimits(db, ALICE)).to.include(limits(-1n, -1n, -1n))
    expect(setAccountLimits(db, ALICE, limits(5000n, 1n, 3n))).to.equal(true)
    expect(setAccountLimits(db, ALICE, limits(6000n, 1n, 3n))).to.equal(false)
    expect(setAccountLimits(db, ALICE, limits(5999n, 1n, 3n))).to.equal(true)
    expect(setAccountLimits(db, ALICE, limits(-1n, 1n, 3n))).to.equal(false)
    setAccountLimits(db, BOB, limits(-1n, 0n, 1n))
    expect(getAccountLimits(db, ALICE)).to.include(limits(-1n, 1n, 3n))
    expect(isUnlimitedCpu(db, ALICE)).to.equal(true)
    expect(db.resource_limits_state.single().total_cpu_weight).to.equal(0n)

    processAccountLimitUpdates(db)
    expect(isUnlimitedCpu(db, ALICE)).to.equal(false)
    expect(isUnlimitedCpu(db, N('nobody'))).to.equal(false)
    const { total_cpu_weight, total_net_weight, total_ram_bytes } =
      db.resource_limits_state.single()
    expect([total_cpu_weight, total_net_weight, total_ram_bytes]).to.deep.equal([4n, 1n, 0n])
    expect(db.resource_limits.find('by_owner', true, ALICE)).to.equal(undefined)

    setAccountLimits(db, ALICE, limits(7n, -1n, -1n))
    processAccountLimitUpdates(db)
    const after = db.resource_limits_state.single()
    expect([after.total_cpu_weight, after.total_net_weight, after.total_ram_bytes]).to.deep.equal([
      1n,
      0n,
      7n,
    ])
  })

  it('verify RAM against the limit, pending ones too', () => {
    const { db } = chain
    setAccountLimits(db, ALICE, limits(3000n, -1n, -1n))
    addPendingRamUsage(db, ALICE, 276)
    verifyAccountRamUsage(db, ALICE)
    addPendingRamUsage(db, ALICE, 1)
    expect(() => verifyAccountRamUsage(db, ALICE)).to.throw(
      'account alice has insufficient ram; needs 3001 bytes has 3000 bytes',
    )
    expect(() => addPendingRamUsage(db, ALICE, -3002)).to.throw(
      'Ram usage delta would underflow UINT64_MAX',
    )
    expect(() => addPendingRamUsage(db, ALICE, 2n ** 64n - 1n)).to.throw(
      'Ram usage delta would overflow UINT64_MAX',
    )
    verifyAccountRamUsage(db, BOB)
  })

  it('refuse accounts that are not there', () => {
    const { db } = chain
    const nobody = N('nobody')
    const key =
      /^unknown key \(boost::tuples::tuple<bool, eosio::chain::name(, boost::tuples::null_type){8}>\): \(0 nobody\)$/
    expect(() => setAccountLimits(db, nobody, limits(1n, 1n, 1n))).to.throw(key)
    expect(() => getAccountLimits(db, nobody)).to.throw(key)
    expect(() => addPendingRamUsage(db, nobody, 1)).to.throw(
      'unknown key (eosio::chain::name): nobody',
    )
  })

  it('report an unlimited account', () => {
    const { limit, greylisted } = getAccountCpuLimit(chain.db, ALICE)
    expect(limit).to.deep.equal({
      used: -1n,
      available: -1n,
      max: -1n,
      current_used: -1n,
      last_usage_update_time: 0,
    })
    expect(greylisted).to.equal(false)
  })

  it('share the capacity by weight, refuse beyond it, and free it again over a day', () => {
    const { db } = chain
    setAccountLimits(db, ALICE, limits(-1n, 1n, 1n))
    setAccountLimits(db, BOB, limits(-1n, 3n, 999_999n))
    processAccountLimitUpdates(db)
    const max = (200_000n * 172_800n) / 1_000_000n
    expect(getAccountCpuLimit(db, ALICE).limit.available).to.equal(max)
    addTransactionUsage(db, [ALICE], 34_000, 100, 1000)
    const { limit } = getAccountCpuLimit(db, ALICE, { current_slot: 1000 + 86_400 })
    expect(limit).to.deep.equal({
      used: 34_001n,
      available: max - 34_001n,
      max,
      last_usage_update_time: 1000,
      current_used: 17_001n,
    })
    expect(() => addTransactionUsage(db, [ALICE], 600, 0, 1000)).to.throw(
      "authorizing account 'alice' has insufficient objective cpu resources for this transaction, used in window 34600us, allowed in window 34560us",
    )
    expect(getAccountNetLimit(db, ALICE).limit.max).to.equal((1_048_576n * 172_800n) / 4n)
    addTransactionUsage(db, [ALICE], 0, 0, 1000 + 172_800)
    expect(getAccountCpuLimit(db, ALICE).limit.used).to.equal(0n)
  })

  it('count no more than the greylist limit of the virtual limit', () => {
    const { db } = chain
    setAccountLimits(db, ALICE, limits(-1n, 1n, 1n))
    processAccountLimitUpdates(db)
    db.resource_limits_state.modify(db.resource_limits_state.single(), (row) => {
      row.virtual_cpu_limit = 200_000n * 50n
    })
    const at = (greylist_limit: number) => {
      const { limit, greylisted } = getAccountCpuLimit(db, ALICE, { greylist_limit })
      return [limit.max / 172_800n, greylisted]
    }
    expect(at(1000)).to.deep.equal([10_000_000n, false])
    expect(at(999)).to.deep.equal([10_000_000n, false])
    expect(at(50)).to.deep.equal([10_000_000n, false])
    expect(at(49)).to.deep.equal([9_800_000n, true])
    expect(at(1)).to.deep.equal([200_000n, true])
  })

  it('share a capacity beyond 128 bits as the reference does, which keeps the low ones', () => {
    const { db } = chain
    const weight = (1n << 62n) + 1n
    // The product has bits from the 128th on, this one too.
    const virtual_limit = (1n << 63n) + (1n << 58n) + 12345n
    setAccountLimits(db, ALICE, limits(-1n, weight, 1n))
    processAccountLimitUpdates(db)
    db.resource_limits_state.modify(db.resource_limits_state.single(), (row) => {
      row.virtual_net_limit = virtual_limit
    })
    const product = virtual_limit * 172_800n * weight
    const expected = (product & ((1n << 128n) - 1n)) / weight
    expect(getAccountNetLimit(db, ALICE).limit.max).to.equal(expected)
    expect((product >> 128n) & 1n).to.equal(1n)
    expect(expected < virtual_limit * 172_800n).to.equal(true)
  })

  it('refuse more than a block holds', () => {
    const { db } = chain
    addTransactionUsage(db, [ALICE], 150_000, 1_048_576, 5)
    expect([getBlockCpuLimit(db), getBlockNetLimit(db)]).to.deep.equal([50_000n, 0n])
    const session = db.startSession()
    expect(() => addTransactionUsage(db, [ALICE], 50_001, 0, 5)).to.throw(
      'Block has insufficient cpu resources',
    )
    session.undo()
    expect(() => addTransactionUsage(db, [ALICE], 0, 1, 5)).to.throw(
      'Block has insufficient net resources',
    )
  })

  it('refuse elastic parameters that divide by zero', () => {
    const good = elasticLimit(200_000n, 1000)
    expect(good.target).to.equal(20_000n)
    const zero = { numerator: 1n, denominator: 0n }
    const refused = (change: Partial<typeof good>) => () =>
      setBlockParameters(chain.db, good, { ...good, ...change })
    expect(refused({ periods: 0 })).to.throw("'periods' cannot be zero")
    expect(refused({ contract_rate: zero })).to.throw("'contract_rate' is not a well-defined ratio")
    expect(refused({ expand_rate: zero })).to.throw("'expand_rate' is not a well-defined ratio")
    expect(() => setBlockParameters(chain.db, { ...good, periods: 0 }, good)).to.throw(
      "'periods' cannot be zero",
    )
    setBlockParameters(chain.db, elasticLimit(300_000n, 1000), good)
    expect(chain.db.resource_limits_config.single().cpu_limit_parameters.max).to.equal(300_000n)
  })

  it('agree with plain integer arithmetic over many blocks', () => {
    const transaction = fc.record({
      account: fc.constantFrom(ALICE, BOB),
      cpu: fc.nat(60_000),
      net: fc.nat(300_000),
    })
    const block = fc.record({
      gap: fc.constantFrom(1, 1, 1, 7, 500, 100_000),
      transactions: fc.array(transaction, { maxLength: 4 }),
      weights: fc.option(fc.tuple(fc.constantFrom(ALICE, BOB), fc.integer({ min: -1, max: 50 }))),
      cpu_max: fc.constantFrom(200_000n, 200_000n, 400_000n),
    })
    fc.assert(
      fc.property(fc.array(block, { minLength: 20, maxLength: 60 }), (blocks) => {
        const fresh = new RuleChain()
        fresh.newAccount('alice')
        fresh.newAccount('bob')
        compareWithNaive(fresh, blocks)
      }),
      { numRuns: 30 },
    )
  })
})

interface RandomBlock {
  gap: number
  transactions: { account: bigint; cpu: number; net: number }[]
  weights: [bigint, number] | null
  cpu_max: bigint
}

function compareWithNaive({ db }: RuleChain, blocks: RandomBlock[]): void {
  const naive = new NaiveLimits([ALICE, BOB])
  let slot = 10_000
  let block_num = 1
  for (const block of blocks) {
    slot += block.gap
    block_num++
    for (const { account, cpu, net } of block.transactions) {
      const session = db.startSession()
      updateAccountUsage(db, [account], slot)
      const expected = naive.transaction(account, BigInt(cpu), BigInt(net), slot)
      let refused = false
      try {
        addTransactionUsage(db, [account], cpu, net, slot)
      } catch {
        refused = true
      }
      expect(refused).to.equal(expected === 'refused')
      if (refused) session.undo()
      else session.squash()
    }
    if (block.weights) {
      const [account, weight] = block.weights
      setAccountLimits(db, account, limits(-1n, BigInt(weight), BigInt(weight)))
      naive.setWeight(account, BigInt(weight))
    }
    processAccountLimitUpdates(db)
    setBlockParameters(db, elasticLimit(block.cpu_max, 1000), elasticLimit(1_048_576n, 1000))
    processBlockUsage(db, block_num)
    naive.endBlock(block_num, block.cpu_max)
    expect(naive.state()).to.deep.equal(stateOf(db))
  }
}

function stateOf(db: RuleChain['db']) {
  const state: Record<string, unknown> = { ...db.resource_limits_state.single() }
  delete state.id
  delete state.total_ram_bytes
  const usage = [ALICE, BOB].map((account) => {
    const { cpu_usage, net_usage } = db.resource_usage.get('by_owner', account)
    return { cpu: cpu_usage, net: net_usage, limit: getAccountCpuLimit(db, account).limit.max }
  })
  return { ...state, usage }
}
