import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { chainIdOfSnapshot, toHex } from '../../src/engine/index.ts'
import { Chain, ChainError } from '../../src/in_process/index.ts'
import { recordedSnapshot } from '../engine/snapshot/support/snapshot_files.ts'
import { contractFiles } from '../support/contracts.ts'
import { temporaryFolder } from '../support/node_process.ts'

const SNAPSHOT_BLOCK = 0x67

describe('a chain in process: from a snapshot', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let path: string
  before(() => {
    folder = temporaryFolder()
    path = join(folder.path, 'snapshot.bin')
    writeFileSync(path, recordedSnapshot(SNAPSHOT_BLOCK))
  })
  after(() => folder.remove())

  it('continues the chain with its id, its accounts and its time', () => {
    const chain = Chain.fromSnapshot(path)
    expect(chain.chain_id).equal(toHex(chainIdOfSnapshot(path)))
    expect(chain.block_num).equal(SNAPSHOT_BLOCK + 1)
    const begin = chain.time.now.getTime()
    const token = contractFiles('eosio.token')
    const point = chain.checkpoint()
    const { actions } = chain.deploy('tokens.x', token.wasm, token.abi)
    actions.create!({ issuer: 'eosio', maximum_supply: '5.0000 SYS' }).send()
    actions.issue!({ to: 'eosio', quantity: '5.0000 SYS', memo: '' }).send('eosio@active')
    chain.mine(5)
    expect(chain.api.get_info().head_block_num).equal(SNAPSHOT_BLOCK + 5)
    point.goBack()
    expect(chain.hasAccount('tokens.x')).equal(false)
    expect(chain.time.now.getTime()).equal(begin)
  })

  it('begins at a time that is not before its head', () => {
    const time = '2040-01-01T00:00:00.000Z'
    expect(Chain.fromSnapshot(path, { time }).time.now.toISOString()).equal(time)
    expect(() => Chain.fromSnapshot(path, { time: '2018-07-01' })).throw(RangeError, 'continues at')
  })

  it('is saved to a file, from which any number of chains begin', async () => {
    const chain = Chain.create({ time: '2030-01-01' })
    const token = contractFiles('eosio.token')
    chain.createAccounts('alice', 'bob')
    const { actions } = chain.deploy('eosio.token', token.wasm, token.abi)
    actions.create!({ issuer: 'alice', maximum_supply: '5.0000 SYS' }).send()
    actions.issue!({ to: 'alice', quantity: '5.0000 SYS', memo: '' }).send('alice@active')
    chain.time.set('2031-01-01')
    const saved = join(folder.path, 'saved.bin')
    const saving = chain.save(saved)
    const head = chain.api.get_info().head_block_id
    const send = (on: Chain) =>
      on.account('eosio.token').actions.transfer!({
        from: 'alice',
        to: 'bob',
        quantity: '5.0000 SYS',
        memo: '',
      }).send('alice@active')
    const held = (on: Chain, account: string) =>
      on.api.get_currency_balance({ code: 'eosio.token', account, symbol: 'SYS' })
    // What happens after the call is not in the file.
    send(chain)
    await saving
    for (let i = 0; i < 2; i++) {
      const again = Chain.fromSnapshot(saved)
      expect(again.chain_id).equal(chain.chain_id)
      expect(again.api.get_info().head_block_id).equal(head)
      expect(again.time.now.getUTCFullYear()).equal(2031)
      expect(held(again, 'alice')).deep.equal(['5.0000 SYS'])
      send(again)
      again.mine(10)
      expect(held(again, 'bob')).deep.equal(['5.0000 SYS'])
      const { last_irreversible_block_num, head_block_num } = again.api.get_info()
      expect(last_irreversible_block_num).greaterThan(head_block_num - 5)
      await again.save(join(folder.path, `saved${i}.bin`))
      const third = Chain.fromSnapshot(join(folder.path, `saved${i}.bin`))
      expect(held(third, 'bob')).deep.equal(['5.0000 SYS'])
    }
    const nowhere = await chain.save(join(folder.path, 'none', 'saved.bin')).catch((e: Error) => e)
    expect(String(nowhere)).match(/ENOENT/)
    chain.mine()
  })

  it('refuses what is no snapshot', () => {
    const other = join(folder.path, 'other.bin')
    writeFileSync(other, 'no snapshot')
    expect(() => Chain.fromSnapshot(other)).throw(ChainError)
    expect(() => Chain.fromSnapshot(join(folder.path, 'missing'))).throw(ChainError, 'missing')
  })
})
