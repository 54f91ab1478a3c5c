import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Chain } from '../../src/in_process/index.ts'
import { contractFiles } from '../support/contracts.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { SAMPLE_ABI, SAMPLE_WASM } from './sample_contract.ts'

const TOKEN = contractFiles('eosio.token')

/** What takes time differs from run to run. */
const withoutTimes = (key: string, value: unknown): unknown =>
  key === 'elapsed' ? undefined : value

/** What the chain looks like after a script of actions, and what they printed, returned and cost. */
function runScript(chain: Chain): unknown {
  const token = chain.account('eosio.token')
  token.action('create', { issuer: 'alice', maximum_supply: '100.0000 SYS' }).send()
  token.action('issue', { to: 'alice', quantity: '100.0000 SYS', memo: '' }).send('alice')
  const transfer = (quantity: string) =>
    token.action('transfer', { from: 'alice', to: 'bob', quantity, memo: '' })
  const result = transfer('1.0000 SYS').send('alice')
  transfer('2.0000 SYS').send('alice')
  expect(() => transfer('100.0000 SYS').send('alice')).throw('overdrawn balance')
  const sample = chain.account('sample')
  const said = [sample.action('say').send().console, sample.action('now').send().return_value]
  sample.action('rank').send()
  const rows = sample.table('ranks', 0).rows()
  chain.mine()
  const { trace } = result
  return {
    said,
    rows,
    trace: JSON.parse(JSON.stringify(trace, withoutTimes)) as unknown,
    balances: ['alice', 'bob'].map((name) => token.table('accounts', name).rows()),
    head: chain.api.get_info().head_block_id,
  }
}

describe('a chain in process: profiles', () => {
  let folder: ReturnType<typeof temporaryFolder>
  before(() => void (folder = temporaryFolder()))
  after(() => folder.remove())

  function newChain(): Chain {
    const chain = Chain.create({ time: '2024-01-01' })
    chain.createAccounts('alice', 'bob')
    chain.deploy('eosio.token', TOKEN.wasm, TOKEN.abi)
    chain.deploy('sample', SAMPLE_WASM, SAMPLE_ABI)
    return chain
  }

  it('change no result', () => {
    const plain = runScript(newChain())
    const chain = newChain()
    const profile = chain.profile()
    expect(runScript(chain)).deep.equal(plain)
    profile.stop()
    expect(chain.account('sample').action('say').send().console).contain('hello')
  })

  it('count actions, RAM and host functions', () => {
    const chain = newChain()
    const profile = chain.profile()
    expect(() => chain.profile()).throw('stop it first')
    runScript(chain)
    profile.stop()
    const counted = profile.actions
    const cost = (receiver: string, action: string) =>
      counted.find((one) => one.receiver === receiver && one.action === action)!
    expect(cost('eosio.token', 'transfer')).deep.include({
      contract: 'eosio.token',
      // One of them failed.
      calls: 3,
      ram_deltas: [{ account: 'alice', delta: 240 }],
    })
    expect(cost('eosio.token', 'transfer').host_calls).include({
      require_auth: 3,
      require_recipient: 6,
      db_store_i64: 1,
    })
    expect(cost('bob', 'transfer')).deep.include({ calls: 2, instructions: 0, host_calls: {} })
    expect(cost('sample', 'now').host_calls).deep.equal({
      current_time: 1,
      set_action_return_value: 1,
    })
    chain.account('sample').action('say').send()
    expect(profile.actions).deep.equal(counted)
  })

  it('count the instructions of each function, and show functions that were never called', () => {
    const chain = newChain()
    const profile = chain.profile()
    runScript(chain)
    profile.stop()
    const token = profile.functions.filter(({ contract }) => contract === 'eosio.token')
    const apply = token.find((one) => one.function === 'apply')!
    const self = token.reduce((sum, one) => sum + one.self, 0)
    expect(apply.calls).equal(5)
    expect(apply.total).equal(self)
    const actions = profile.actions.filter(({ receiver }) => receiver === 'eosio.token')
    expect(actions.reduce((sum, one) => sum + one.instructions, 0)).equal(self)
    expect(profile.functions.find(({ contract }) => contract === 'sample')!.calls).equal(3)
    expect(profile.table)
      .match(/^action +calls +instructions/)
      .match(/eosio.token +apply +5 /)
  })

  it('are written as files that developer tools open', () => {
    const chain = newChain()
    const profile = chain.profile()
    runScript(chain)
    profile.stop()
    const path = join(folder.path, 'profile.cpuprofile')
    profile.write(path)
    const { nodes, samples, timeDeltas, startTime, endTime } = JSON.parse(
      readFileSync(path, 'utf8'),
    ) as Record<'samples' | 'timeDeltas', number[]> & {
      nodes: { id: number; callFrame: { functionName: string }; children: number[] }[]
      startTime: number
      endTime: number
    }
    expect(nodes.map(({ id }) => id)).deep.equal(nodes.map((_, i) => i + 1))
    const names = (ids: number[]) => ids.map((id) => nodes[id - 1]!.callFrame.functionName)
    expect(nodes[0]!.callFrame.functionName).equal('(root)')
    expect(names(nodes[0]!.children)).include('eosio.token: transfer')
    expect(samples.length).equal(timeDeltas.length)
    const total = profile.actions.reduce((sum, one) => sum + one.instructions, 0)
    expect(endTime - startTime).equal(total)
    expect(timeDeltas.reduce((sum, delta) => sum + delta, 0)).equal(total)
  })
})
