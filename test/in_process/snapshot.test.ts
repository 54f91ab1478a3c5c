import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { chainIdOfSnapshot, toHex } from '../../src/engine/index.ts'
import { Chain, ChainError } from '../../src/in_process/index.ts'
import { BILLABLE_GENERATED_TRANSACTION } from '../../src/engine/chain/base/constants.ts'
import { addPendingRamUsage } from '../../src/engine/chain/rules/resource_limits.ts'
import { N } from '../../src/engine/protocol/name.ts'
import { slotToUs } from '../../src/engine/protocol/time.ts'
import { packTransaction } from '../../src/engine/protocol/transaction.ts'
import { packOne } from '../../src/engine/protocol/writer.ts'
import { writeSnapshot } from '../../src/engine/snapshot/write_snapshot.ts'
import { TestChain } from '../engine/chain/support/test_chain.ts'
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

  it('removes the deferred transactions that have expired, as a producer does', async () => {
    const test = await TestChain.open()
    test.start()
    const { db } = test.chain
    const payer = N('eosio')
    const end_us = slotToUs(test.head.timestamp) + 60_000_000
    const transaction = {
      expiration: end_us / 1_000_000,
      ...{ ref_block_num: 0, ref_block_prefix: 0, max_net_usage_words: 0, max_cpu_usage_ms: 0 },
      ...{ delay_sec: 0, context_free_actions: [], actions: [], transaction_extensions: [] },
    }
    const packed_trx = packOne(packTransaction, transaction)
    const size = BILLABLE_GENERATED_TRANSACTION + packed_trx.length
    addPendingRamUsage(db, payer, 2 * size)
    for (const [n, expiration] of [
      [1, end_us],
      [2, end_us + 3600 * 1_000_000],
    ] as const) {
      const trx_id = new Uint8Array(32).fill(n)
      const times = { delay_until: end_us, expiration, published: 0 }
      const row = { trx_id, sender: payer, sender_id: BigInt(n), payer, packed_trx, ...times }
      db.generated_transaction.create(row)
    }
    test.finish()
    const path = join(folder.path, 'deferred.bin')
    const source = test.chain.snapshotSource()
    await writeSnapshot(source, path)
    source.view.release()
    await test.chain.close()

    const chain = Chain.fromSnapshot(path)
    const waiting = () =>
      chain.api
        .get_scheduled_transactions({ json: true })
        .transactions.map((trx) => trx['sender_id'])
    chain.mine()
    expect(waiting()).deep.equal(['1', '2'])
    chain.time.set(new Date(end_us / 1000 + 1000))
    const head = chain.block_num
    // An attempt makes no block.
    chain.time.set(new Date(end_us / 1000 + 2000))
    expect(chain.block_num).equal(head)
    chain.createAccounts('alice')
    chain.mine()
    expect(waiting()).deep.equal(['2'])
    const { transactions } = chain.api.get_block({ block_num_or_id: head }) as {
      transactions: { status: string; trx: unknown }[]
    }
    expect(transactions.map(({ status }) => status)).deep.equal(['expired', 'executed'])
    const ram = () => Number(chain.api.get_account({ account_name: 'eosio' }).ram_usage)
    const before = ram()
    chain.time.set(new Date(end_us / 1000 + 3_601_000))
    chain.mine()
    expect(waiting()).deep.equal([])
    expect(before - ram()).equal(size)
  })

  it('refuses what is not a snapshot', () => {
    const other = join(folder.path, 'other.bin')
    writeFileSync(other, 'no snapshot')
    expect(() => Chain.fromSnapshot(other)).throw(ChainError)
    expect(() => Chain.fromSnapshot(join(folder.path, 'missing'))).throw(ChainError, 'missing')
  })
})
