import { newUsageAccumulator } from '../../../../../src/engine/chain/rules/resource_limits/usage_accumulator.ts'
import { ceilDiv, naiveAdd } from './naive.ts'

const DAY = 172_800
const MINUTE = 120
const PRECISION = 1_000_000n
const NET_MAX = 1_048_576n

/** The accounting of blocks and accounts written down once more, as plainly as possible. */
export class NaiveLimits {
  private readonly accounts = new Map<
    bigint,
    { cpu: ReturnType<typeof newUsageAccumulator>; net: ReturnType<typeof newUsageAccumulator> }
  >()
  private readonly weights = new Map<bigint, bigint>()
  private readonly next_weights = new Map<bigint, bigint>()
  private readonly cpu = { average: newUsageAccumulator(), pending: 0n, virtual: 200_000n }
  private readonly net = { average: newUsageAccumulator(), pending: 0n, virtual: NET_MAX }
  private cpu_max = 200_000n

  constructor(accounts: bigint[]) {
    for (const account of accounts) {
      this.accounts.set(account, { cpu: newUsageAccumulator(), net: newUsageAccumulator() })
      this.weights.set(account, -1n)
    }
  }

  transaction(account: bigint, cpu: bigint, net: bigint, slot: number): 'billed' | 'refused' {
    const before = this.accounts.get(account)!
    const after = { cpu: { ...before.cpu }, net: { ...before.net } }
    naiveAdd(after.cpu, cpu, slot, DAY)
    naiveAdd(after.net, net, slot, DAY)
    const weight = this.next_weights.get(account) ?? this.weights.get(account)!
    const total = this.total()
    if (weight >= 0n && total > 0n) {
      const used = (value_ex: bigint) => (value_ex * BigInt(DAY)) / PRECISION
      const allowed = (limit: bigint) => (limit * BigInt(DAY) * weight) / total
      if (used(after.cpu.value_ex) > allowed(this.cpu.virtual)) return 'refused'
      if (used(after.net.value_ex) > allowed(this.net.virtual)) return 'refused'
    }
    if (this.cpu.pending + cpu > this.cpu_max || this.net.pending + net > NET_MAX) return 'refused'
    this.accounts.set(account, after)
    this.cpu.pending += cpu
    this.net.pending += net
    return 'billed'
  }

  setWeight(account: bigint, weight: bigint): void {
    this.next_weights.set(account, weight)
  }

  endBlock(block_num: number, cpu_max: bigint): void {
    for (const [account, weight] of this.next_weights) this.weights.set(account, weight)
    this.next_weights.clear()
    this.cpu_max = cpu_max
    for (const [resource, max] of [
      [this.cpu, cpu_max],
      [this.net, NET_MAX],
    ] as const) {
      naiveAdd(resource.average, resource.pending, block_num, MINUTE)
      resource.pending = 0n
      const busy = ceilDiv(resource.average.value_ex, PRECISION) > max / 10n
      const moved = busy ? (resource.virtual * 99n) / 100n : (resource.virtual * 1000n) / 999n
      resource.virtual = moved < max ? max : moved > max * 1000n ? max * 1000n : moved
    }
  }

  state() {
    const total = this.total()
    return {
      average_block_net_usage: this.net.average,
      average_block_cpu_usage: this.cpu.average,
      pending_net_usage: 0n,
      pending_cpu_usage: 0n,
      total_net_weight: total,
      total_cpu_weight: total,
      virtual_net_limit: this.net.virtual,
      virtual_cpu_limit: this.cpu.virtual,
      usage: [...this.accounts].map(([account, { cpu, net }]) => {
        const weight = this.weights.get(account)!
        const limited = weight >= 0n && total > 0n
        const limit = limited ? (this.cpu.virtual * BigInt(DAY) * weight) / total : -1n
        return { cpu, net, limit }
      }),
    }
  }

  private total(): bigint {
    return [...this.weights.values()].reduce((sum, weight) => sum + (weight > 0n ? weight : 0n), 0n)
  }
}
