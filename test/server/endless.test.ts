/** Contracts that never end: stopped at the deadline, and the node goes on. */
import { Action, PackedTransaction } from '@wharfkit/antelope'
import { expect } from 'chai'
import { systemClock } from '../../src/engine/index.ts'
import { assemble } from '../engine/vm/assembler.ts'
import { turnClock } from '../support/turn_clock.ts'
import { TestNode, type TestNodeOptions } from '../support/test_node.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

/** `loop br 0 end` */
const LOOP = [0x03, 0x40, 0x0c, 0, 0x0b]
/** A loop that calls a function which does nothing. */
const CALLS = [0x03, 0x40, 0x10, 1, 0x0c, 0, 0x0b]
const I64 = 0x7e
/** Time runs fast here, so that deadlines come soon. */
const LOOK_US = 25

/** A contract that does this whatever the action is. */
function contract(code: number[]): string {
  const types: [number[], number[]][] = [
    [[I64, I64, I64], []],
    [[], []],
  ]
  const functions = [
    { type: 0, code },
    { type: 1, code: [] },
  ]
  const module = { types, functions, exports: [['apply', 0, 0]] as [string, number, number][] }
  return Buffer.from(assemble(module)).toString('hex')
}

describe('server: contracts that never end', () => {
  let node: TestNode
  afterEach(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  async function start(options: TestNodeOptions): Promise<WharfkitChain> {
    node = await TestNode.start(options)
    const chain = new WharfkitChain(node.url)
    await chain.createAccounts('endless', 'alice')
    return chain
  }

  async function deploy(chain: WharfkitChain, code: number[]): Promise<void> {
    const data = { account: 'endless', vmtype: 0, vmversion: 0, code: contract(code) }
    await chain.act('eosio', 'setcode', 'endless', data)
  }

  /** Runs it, and answers why it did not end well. */
  async function run(chain: WharfkitChain): Promise<{ name: string; message: string }> {
    const authorization = [{ actor: 'alice', permission: 'active' }]
    const action = Action.from({ account: 'endless', name: 'go', authorization, data: '' })
    const packed = PackedTransaction.fromSigned(await chain.sign([action]), 0)
    const answer = await node.chain('send_transaction', packed)
    expect(answer.status, answer.text).equal(500)
    const { error } = answer.body as { error: { name: string; details: { message: string }[] } }
    return { name: error.name, message: error.details[0]!.message }
  }

  for (const [what, code] of Object.entries({ 'a loop': LOOP, 'a loop of calls': CALLS })) {
    it(`${what} is stopped by the chain's limit`, async () => {
      const chain = await start({ clock: turnClock(LOOK_US) })
      await deploy(chain, code)
      const { name, message } = await run(chain)
      expect(name).equal('tx_cpu_usage_exceeded')
      expect(message).match(
        /^transaction [0-9a-f]{64} was executing for too long \d+us reached on chain max_transaction_cpu_usage 150000us$/,
      )
      await node.nextBlock()
      expect((await chain.client.v1.chain.get_account('alice')).account_name.toString()).equal(
        'alice',
      )
    })
  }

  it('is stopped by the limit of the node, in real time; others are served meanwhile', async () => {
    const chain = await start({ clock: systemClock })
    await deploy(chain, LOOP)
    await node.producer('update_runtime_options', { max_transaction_time: 20 })
    const running = run(chain)
    expect((await node.chain('get_info')).status).equal(200)
    const { name, message } = await running
    expect(name).equal('tx_cpu_usage_exceeded')
    expect(message).include('reached node configured max-transaction-time 20000us')
    await node.nextBlock()
  })

  it('compute_transaction and read-only transactions are stopped too', async () => {
    const chain = await start({ clock: turnClock(LOOK_US) })
    await deploy(chain, LOOP)
    const go = { account: 'endless', name: 'go', data: '' }
    const authorization = [{ actor: 'alice', permission: 'active' }]
    const runs = {
      send_read_only_transaction: { ...go, authorization: [] },
      compute_transaction: { ...go, authorization },
    }
    for (const [operation, action] of Object.entries(runs)) {
      const signed = await chain.sign([Action.from(action)])
      const transaction = { ...PackedTransaction.fromSigned(signed, 0), signatures: [] }
      const { text } = await node.chain(operation, { transaction })
      expect(text, operation).match(/was executing for too long|deadline exceeded/)
    }
    await node.nextBlock()
  })
})
