import { ABI, Serializer } from '@wharfkit/antelope'
import { expect } from 'chai'
import type { StartedBlock } from '../../../../src/engine/chain/chain_events.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { STATE_HISTORY_ABI } from '../../../../src/engine/services/state_history/abi.ts'
import { CollectedTraces } from '../../../../src/engine/services/state_history/collected_traces.ts'
import { CollectedTransactions } from '../../../../src/engine/services/trace_api/collected_transactions.ts'
import { loudEvents } from '../../chain/support/loud_events.ts'
import { TestChain } from '../../chain/support/test_chain.ts'

interface Told {
  elapsed: string | number
  console: string
  except: string
  error_code: string
}
interface Trace {
  elapsed: string | number
  action_traces: [string, Told][]
}

function has(bytes: Uint8Array, name: string): boolean {
  const w = new Writer()
  w.name(N(name))
  return Buffer.from(bytes).includes(Buffer.from(w.view()))
}

describe('traces that are collected while a block is executed', () => {
  it('are those of the block: not of one that was aborted, and not of failed transactions', async () => {
    const events = loudEvents()
    const traces = new CollectedTraces(false)
    const transactions = new CollectedTransactions()
    for (const collected of [traces, transactions]) {
      events.on('blockStarted', (block) => collected.begin(block))
      events.on('transactionApplied', (applied) => collected.add(applied))
    }
    let blocks = 0
    events.on('blockApplied', ({ transaction_count, block }) => {
      blocks++
      expect(transaction_count).equal(2)
      const [count, packed] = traces.list(transaction_count, block.block_num)
      expect(count).deep.equal(Uint8Array.of(2))
      const listed = transactions.list(transaction_count, block.block_num)
      expect(listed.count).equal(2)
      expect(listed.ids).length(2)
      for (const bytes of [packed!, listed.packed]) {
        expect(has(bytes, 'ben')).equal(true)
        expect(has(bytes, 'ann')).equal(false)
      }
    })
    const test = await TestChain.open({}, undefined, { events })
    test.start()
    test.createAccount('ann')
    test.chain.abortBlock()
    test.start()
    test.createAccount('ben')
    expect(() => test.createAccount('ben')).throw()
    test.produce()
    expect(blocks).equal(1)
    await test.chain.close()
  })

  it('tell times, console output and texts of exceptions in the debug mode alone', async () => {
    const events = loudEvents()
    const modes = [false, true].map((debug) => new CollectedTraces(debug))
    for (const collected of modes) events.on('blockStarted', (block) => collected.begin(block))
    events.on('transactionApplied', ({ trace, meta }) => {
      const [action] = trace.action_traces
      const except = new ChainError('eosio_assert_message_exception', 'assertion failure')
      const changed = [
        { ...action!, elapsed: 12.7, console: 'coffee', except, error_code: 2n ** 64n - 2n },
      ]
      const told = { ...trace, elapsed: 5_000_000_000, action_traces: changed }
      for (const collected of modes) collected.add({ trace: told, meta })
    })
    let decoded: Trace[] = []
    events.on('blockApplied', ({ transaction_count, block: { block_num } }) => {
      decoded = modes.map((collected) => {
        const data = Buffer.concat(collected.list(transaction_count, block_num))
        const abi = ABI.from(STATE_HISTORY_ABI)
        const list = Serializer.decode({ type: 'transaction_trace[]', abi, data })
        return (JSON.parse(JSON.stringify(list)) as [string, Trace][])[0]![1]
      })
    })
    const test = await TestChain.open({}, undefined, { events })
    test.produce()
    const [plain, debug] = decoded
    expect(Number(plain!.elapsed)).equal(0)
    expect(Number(debug!.elapsed)).equal(5_000_000_000)
    const [[, quiet], [, loud]] = [plain!.action_traces[0]!, debug!.action_traces[0]!]
    expect(Number(quiet.elapsed)).equal(0)
    expect(Number(loud.elapsed)).equal(12)
    expect(quiet).include({ console: '', except: 'Y', error_code: '10000000000000000000' })
    expect(loud.except).match(/^assertion failure|eosio_assert_message/)
    expect(loud).include({ error_code: '18446744073709551614' })
    expect(loud.console).equal('coffee')
    await test.chain.close()
  })

  it('are refused where they are not all of the block', () => {
    for (const collected of [new CollectedTraces(false), new CollectedTransactions()]) {
      collected.begin({ status: 'complete' } as StartedBlock)
      collected.list(0, 7)
      expect(() => collected.list(1, 7)).throw(/missing traces for block 7/)
      collected.begin({ status: 'ephemeral' } as StartedBlock)
      expect(() => collected.list(0, 8)).throw(/missing traces for block 8/)
    }
  })
})
