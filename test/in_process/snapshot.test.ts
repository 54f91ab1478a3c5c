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

  it('refuses what is no snapshot', () => {
    const other = join(folder.path, 'other.bin')
    writeFileSync(other, 'no snapshot')
    expect(() => Chain.fromSnapshot(other)).throw(ChainError)
    expect(() => Chain.fromSnapshot(join(folder.path, 'missing'))).throw(ChainError, 'missing')
  })
})
