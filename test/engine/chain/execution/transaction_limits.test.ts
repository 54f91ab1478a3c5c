import { expect } from 'chai'
import { N } from '../../../../src/engine/protocol/name.ts'
import type { HostContext } from '../../../../src/engine/vm/host_context.ts'
import { action, Harness } from '../support/harness.ts'

/** A chain with a contract `work` that takes the CPU time which its data says, in milliseconds. */
function chainWithWork(): Harness {
  const chain = new Harness()
  chain.createAccount('work', 'alice')
  chain.setScript('work', (ctx: HostContext) => {
    for (let i = 0; i < ctx.act.data[0]!; i++) {
      chain.clock.now_us += 1000
      ctx.checktime()
    }
  })
  return chain
}

/** The same on a busy machine: each millisecond of CPU time takes another of waiting for a processor. */
function busyChainWithWork(): Harness {
  const chain = new Harness()
  chain.createAccount('work', 'alice')
  chain.setScript('work', (ctx: HostContext) => {
    for (let i = 0; i < ctx.act.data[0]!; i++) {
      chain.clock.now_us += 2000
      chain.clock.waited_us += 1000
      ctx.checktime()
    }
  })
  return chain
}

const work = (ms: number) => [action('work', 'run', 'alice@active', Uint8Array.of(ms))]

describe('limits of a transaction', () => {
  it('bills the measured time, and at least the minimum', () => {
    const chain = chainWithWork()
    expect(chain.ok(work(0)).receipt!.cpu_usage_us).to.equal(100)
    const trace = chain.ok(work(7))
    expect(trace.receipt!.cpu_usage_us).to.equal(7000)
    expect(trace.elapsed).to.equal(7000)
    const usage = chain.db.resource_usage.get('by_owner', N('alice'))
    expect(usage.cpu_usage.consumed).to.equal(7100n)
  })

  it('bills half of the time for recovering keys', () => {
    const chain = chainWithWork()
    const trace = chain.ok(work(1), { signature_cpu_usage_us: 600 })
    expect(trace.receipt!.cpu_usage_us).to.equal(1300)
  })

  it('bills what is given explicitly, and never looks at the clock for it', () => {
    const chain = chainWithWork()
    const limits = { explicit_billed_cpu_time: true, billed_cpu_time_us: 4321 }
    expect(chain.ok(work(50), { limits }).receipt!.cpu_usage_us).to.equal(4321)
    const trace = chain.fails(work(0), 'transaction_exception', {
      limits: { explicit_billed_cpu_time: true, billed_cpu_time_us: 99 },
    })
    expect(trace.except!.message).to.equal('cannot bill CPU time less than the minimum of 100 us')
    chain.fails(work(0), 'tx_cpu_usage_exceeded', {
      limits: { explicit_billed_cpu_time: true, billed_cpu_time_us: 150_001 },
    })
  })

  it('omits console output beyond 16 MiB, of all actions together', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice')
    const text = 'x'.repeat(6 * 1024 * 1024)
    chain.setScript('work', (ctx: HostContext) => {
      ctx.consoleAppend(text)
      ctx.consoleAppend(text)
    })
    const act = action('work', 'run', 'alice@active', Uint8Array.of(0))
    const again = action('work', 'run', 'alice@active', Uint8Array.of(1))
    const { action_traces } = chain.ok([act, again])
    const lengths = action_traces.map((trace) => trace.console.length / 1024 / 1024)
    expect(lengths).to.deep.equal([12, 4])
  })

  it('asks for the deadline before each action and receiver, whatever the contract does', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice', 'bob')
    let runs = 0
    chain.setScript('work', (ctx: HostContext) => {
      runs += 1
      chain.clock.now_us += 1000
      if (ctx.receiver === N('work')) ctx.requireRecipient(N('bob'))
    })
    chain.setScript('bob', () => {
      runs += 1
      chain.clock.now_us += 1000
    })
    const acts = Array.from({ length: 6 }, (_, i) =>
      action('work', 'run', 'alice@active', Uint8Array.of(i)),
    )
    chain.fails(chain.transaction(acts, { max_cpu_usage_ms: 5 }), 'tx_cpu_usage_exceeded')
    expect(runs).to.equal(5)
  })

  it('stops at the limit in the header', () => {
    const chain = chainWithWork()
    const trx = chain.transaction(work(9), { max_cpu_usage_ms: 4 })
    const { except } = chain.fails(trx, 'tx_cpu_usage_exceeded')
    expect(except!.message).to.match(
      /^transaction [0-9a-f]{64} was executing for too long 4000us reached trx specified max_cpu_usage_ms 4000us$/,
    )
    expect(except!.details[1]!.message).to.equal('work <= work::run pending console output: ')
  })

  it("stops at the chain's limit, at the node's, and at the end of the block", () => {
    const chain = chainWithWork()
    const on_chain = chain.fails(work(200), 'tx_cpu_usage_exceeded')
    expect(on_chain.except!.message).to.contain(
      'reached on chain max_transaction_cpu_usage 150000us',
    )
    const node = chain.fails(work(200), 'tx_cpu_usage_exceeded', {
      limits: { max_transaction_time_us: 30_000 },
    })
    expect(node.except!.message).to.contain(
      'for too long 30000us reached node configured max-transaction-time 30000us',
    )
    const estimated = chain.fails(work(200), 'tx_cpu_usage_exceeded', {
      limits: { max_transaction_time_us: 30_000, billed_cpu_time_us: 20_000 },
    })
    expect(estimated.except!.message).to.contain(
      'reached speculative executed adjusted trx max time 30000us',
    )
    const late = chain.fails(work(200), 'deadline_exception', {
      limits: { block_deadline_us: chain.clock.now_us + 5000 },
    })
    expect(late.except!.message).to.equal('deadline exceeded 5000us')
  })

  it('stops when the block is full', () => {
    const chain = chainWithWork()
    const limits = { explicit_billed_cpu_time: true, billed_cpu_time_us: 99_000 }
    chain.ok(work(0), { limits })
    const { except } = chain.fails(work(200), 'block_cpu_usage_exceeded')
    expect(except!.message).to.match(
      /^not enough time left in block to complete executing transaction \d+us$/,
    )
    chain.ok(work(0), { limits })
    const billed = chain.fails(work(0), 'block_cpu_usage_exceeded', { limits })
    expect(billed.except!.message).to.contain(
      'is greater than the billable CPU time left in the block',
    )
  })

  it('does not count pauses', () => {
    const chain = chainWithWork()
    chain.setScript('work', (ctx) => {
      ctx.pauseBillingTimer()
      chain.clock.now_us += 400_000
      ctx.resumeBillingTimer()
      chain.clock.now_us += 2000
      ctx.checktime()
    })
    const trace = chain.ok(work(0))
    expect(trace.receipt!.cpu_usage_us).to.equal(2000)
    expect(trace.elapsed).to.equal(402_000)
  })

  it('does not bill the time for which the thread waited for a processor', () => {
    const chain = busyChainWithWork()
    const trace = chain.ok(work(7))
    expect(trace.receipt!.cpu_usage_us).to.equal(7000)
    expect(trace.elapsed).to.equal(7000)
    chain.clock.now_us += 1_000_000
    chain.clock.waited_us += 1_000_000
    expect(chain.ok(work(6)).receipt!.cpu_usage_us).to.equal(6000)
  })

  it('bills neither the readings of the waits at the end nor waits that follow one', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice')
    chain.setScript('work', () => {
      chain.clock.now_us += 3000
      chain.clock.waits_after_readings_us = [20_000, 10_000, 50]
    })
    expect(chain.ok(work(1)).receipt!.cpu_usage_us).to.equal(3000)
  })

  it('does not bill waits during a reading of the waits at the start and at the end of a pause', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice')
    chain.setScript('work', (ctx: HostContext) => {
      chain.clock.now_us += 3000
      ctx.pauseBillingTimer()
      chain.clock.now_us += 7000
      chain.clock.waits_before_readings_us = [30_000, 40_000]
      ctx.resumeBillingTimer()
      chain.clock.now_us += 2000
    })
    chain.clock.now_us += 1_000_000
    chain.clock.waits_before_readings_us = [20_000, 10_000]
    expect(chain.ok(work(1)).receipt!.cpu_usage_us).to.equal(5000)
  })

  it('does not bill the reading of the waits before a pause', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice')
    chain.setScript('work', (ctx: HostContext) => {
      chain.clock.now_us += 3000
      chain.clock.waits_after_readings_us = [20_000, 50]
      ctx.pauseBillingTimer()
      ctx.resumeBillingTimer()
      chain.clock.now_us += 2000
    })
    expect(chain.ok(work(1)).receipt!.cpu_usage_us).to.equal(5000)
  })

  it('limits the CPU time, however long that takes on a busy machine', () => {
    const chain = busyChainWithWork()
    const limited = (ms: number) => chain.transaction(work(ms), { max_cpu_usage_ms: 5 })
    expect(chain.ok(limited(4)).receipt!.cpu_usage_us).to.equal(4000)
    const { except, elapsed } = chain.fails(limited(9), 'tx_cpu_usage_exceeded')
    expect(except!.message).to.contain('was executing for too long 5000us')
    expect(elapsed).to.equal(5000)
  })

  it('gives a transaction twice its time by the clock at most, on a machine that hardly works', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice')
    chain.setScript('work', (ctx: HostContext) => {
      for (;;) {
        chain.clock.now_us += 10_000
        chain.clock.waited_us += 9000
        ctx.checktime()
      }
    })
    const started = chain.clock.now_us
    const { except } = chain.fails(work(0), 'tx_cpu_usage_exceeded')
    expect(except!.message).to.contain(
      'for too long 30000us reached on chain max_transaction_cpu_usage 150000us ' +
        'while the machine was busy with other programs for 270000us',
    )
    expect(chain.clock.now_us - started).to.equal(300_000)
    const limits = { block_deadline_us: chain.clock.now_us + 200_000 }
    // Not for the block's sake, so it is not tried again.
    const ended = chain.fails(work(1), 'tx_cpu_usage_exceeded', { limits })
    expect(ended.except!.message).to.contain(
      'for too long 20000us reached on chain max_transaction_cpu_usage 150000us ' +
        'while the machine was busy with other programs for 180000us',
    )
  })

  it('where the node waits for processors, has all of its CPU time, beyond the end of the block', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice')
    const wait = () => {
      chain.clock.now_us += 100_000
      chain.clock.waited_us += 99_000
    }
    chain.setScript('work', (ctx: HostContext) => {
      for (let i = 0; i < ctx.act.data[0]!; i++) {
        wait()
        ctx.checktime()
      }
      ctx.pauseBillingTimer()
      wait()
      ctx.resumeBillingTimer()
      ctx.checktime()
    })
    const limits = () => ({
      block_deadline_us: chain.clock.now_us + 50_000,
      waits_for_processor: true,
    })
    expect(chain.ok(work(40), { limits: limits() }).receipt!.cpu_usage_us).to.equal(40_000)
    // The CPU time of a block that is late has the limit of the block.
    chain.fails(work(60), 'deadline_exception', { limits: limits() })
    const limited = chain.transaction(work(9), { max_cpu_usage_ms: 5 })
    chain.fails(limited, 'tx_cpu_usage_exceeded', { limits: limits() })
  })

  it('ends at the time that the block needs, waits or not', () => {
    const chain = busyChainWithWork()
    const limits = { block_deadline_us: chain.clock.now_us + 5000 }
    const started = chain.clock.now_us
    chain.fails(work(9), 'deadline_exception', { limits })
    expect(chain.clock.now_us - started).to.equal(6000)
  })

  it('leaves a wait within a pause out once', () => {
    const chain = new Harness()
    chain.createAccount('work', 'alice')
    chain.setScript('work', (ctx: HostContext) => {
      chain.clock.now_us += 3000
      ctx.pauseBillingTimer()
      chain.clock.now_us += 5000
      chain.clock.waited_us += 4000
      ctx.resumeBillingTimer()
      chain.clock.now_us += 2000
      chain.clock.waited_us += 1000
    })
    expect(chain.ok(work(0)).receipt!.cpu_usage_us).to.equal(4000)
  })

  it('is limited by what its payers have, with leeway while it runs', () => {
    const chain = chainWithWork()
    chain.setScript('eosio', (ctx) => {
      ctx.privileged_api.setResourceLimits(N('alice'), -1n, 1n, 1n)
      ctx.privileged_api.setResourceLimits(N('work'), -1n, 1_000_000n, 100_000_000n)
    })
    chain.ok([action('eosio', 'limit', 'eosio@active')])
    chain.nextBlock()
    chain.rules.subjective_cpu_leeway_us = 20_000
    const { except } = chain.fails(work(30), 'leeway_deadline_exception')
    expect(except!.message).to.contain('the transaction was unable to complete by deadline')
    const billed = chain.fails(work(15), 'tx_cpu_usage_exceeded')
    expect(billed.except!.message).to.match(
      /^billed CPU time \(15000 us\) is greater than the maximum billable CPU time for the transaction \(\d+ us\) reached account cpu limit \d+us$/,
    )
  })

  it('knows greylisted payers', () => {
    const chain = new Harness()
    chain.createAccount('alice', 'whale')
    chain.setScript('eosio', (ctx) => {
      ctx.privileged_api.setResourceLimits(N('alice'), -1n, 1n, 1n)
      ctx.privileged_api.setResourceLimits(N('whale'), -1n, 1n, 999_999_999n)
    })
    chain.ok([action('eosio', 'limit', 'eosio@active')])
    // Virtual limits grow in empty blocks: that growth is what the greylist takes away.
    for (let i = 0; i < 2000; i++) chain.nextBlock()
    const hello = [action('alice', 'hello', 'alice@active')]
    chain.ok(hello)
    chain.rules.resource_greylist = new Set([N('alice')])
    const { except } = chain.fails(hello, 'greylist_cpu_usage_exceeded')
    expect(except!.message).to.match(
      /^billed CPU time \(100 us\) is greater than the maximum greylisted billable CPU time for the transaction \(0 us\) reached account cpu limit 0us$/,
    )
    // Without leeway it is refused before it runs, although nothing is known of what it takes.
    chain.rules.subjective_cpu_leeway_us = 0
    const refused = chain.fails(hello, 'greylist_cpu_usage_exceeded')
    expect(refused.except!.message).to.match(/^estimated CPU time \(0 us\) is not less than the /)
    chain.rules.subjective_cpu_leeway_us = undefined
    chain.rules.resource_greylist = new Set()
    chain.rules.greylist_limit = 1
    chain.fails(hello, 'greylist_cpu_usage_exceeded')
    // Blocks of others know no greylist.
    chain.nextBlock({ status: 'complete' })
    chain.ok(hello, { limits: { explicit_billed_cpu_time: true, billed_cpu_time_us: 100 } })
  })
})

describe('NET of a transaction', () => {
  it('counts base, size and discounted prunable bytes, in words', () => {
    const chain = chainWithWork()
    const trx = chain.transaction(work(0))
    const meta = chain.metadata(trx)
    expect(meta.unprunable_size).to.equal(16 + meta.packed.packed_trx.length)
    expect(meta.prunable_size).to.equal(1)
    const { net_usage, receipt } = chain.ok(trx)
    const raw = 12 + meta.unprunable_size + 1
    expect(net_usage).to.equal(Math.ceil(raw / 8) * 8)
    expect(receipt!.net_usage_words).to.equal(net_usage / 8)
  })

  it('refuses more than the header allows, before anything runs', () => {
    const chain = chainWithWork()
    const trx = chain.transaction(work(0), { max_net_usage_words: 1 })
    const trace = chain.fails(trx, 'tx_net_usage_exceeded')
    expect(trace.except!.message).to.equal(
      `transaction net usage is too high: ${trace.net_usage} > 8`,
    )
    expect(trace.action_traces).to.deep.equal([])
    expect(trace.receipt).to.equal(undefined)
  })
})
