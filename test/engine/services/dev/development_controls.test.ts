import { MessageChannel } from 'node:worker_threads'
import { expect } from 'chai'
import { N } from '../../../../src/engine/protocol/name.ts'
import { temporaryFolder } from '../../../support/node_process.ts'
import { TestNode, type TestNodeOptions } from '../../../support/test_node.ts'
import { until } from '../../../support/wait.ts'
import { dev, errorOf } from './support/controls.ts'
import { developmentChain } from '../../../contract/examples/development_chain.ts'
import { authorityOf, ExampleNode, keyOf } from '../../../contract/examples/example_node.ts'
import { contractFiles } from '../../../support/contracts.ts'
import { SharedSigning } from '../../../../src/engine/crypto/shared_signing.ts'
import { assetFromString } from '../../../../src/engine/protocol/asset.ts'
import { setBalanceActions } from '../../../../src/engine/services/dev/balances.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { stateDigest } from '../../chain/support/state_digest.ts'

const nodes: TestNode[] = []

async function start(options: TestNodeOptions = {}): Promise<TestNode> {
  const node = await TestNode.start(options)
  nodes.push(node)
  return node
}

afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
})

async function refused(node: TestNode, operation: string, body: object = {}): Promise<string> {
  const answer = await node.ask(`/v1/dev/${operation}`, { body })
  expect(answer.status).least(400)
  return errorOf(answer)
}

/** Counts when signatures that another thread makes are asked for. */
function signaturesAsked() {
  const { sign, end } = SharedSigning.prototype
  const counts = { before_end: 0, at_end: 0, restore: () => {} }
  let is_ended = false
  SharedSigning.prototype.sign = function (key, digest) {
    is_ended = false
    const late = sign.call(this, key, digest)
    return () => {
      counts[is_ended ? 'at_end' : 'before_end']++
      return late()
    }
  }
  SharedSigning.prototype.end = function () {
    is_ended = true
    end.call(this)
  }
  counts.restore = () => Object.assign(SharedSigning.prototype, { sign, end })
  return counts
}

describe('the control over a development chain', () => {
  it('makes blocks: so many, up to a number, up to a time', async () => {
    const node = await start()
    await dev(node, 'set_production_mode', { mode: 'manual' })
    const { head_block_num, head_block_time } = await dev(node, 'get_controls')
    expect(await dev(node, 'mine_blocks')).include({ head_block_num: head_block_num + 1 })
    expect(await dev(node, 'mine_blocks', { blocks: 20 })).include({
      head_block_num: head_block_num + 21,
    })
    const until_block_num = head_block_num + 30
    expect(await dev(node, 'mine_blocks', { until_block_num })).include({
      head_block_num: until_block_num,
    })
    const until_time = new Date(Date.parse(`${head_block_time}Z`) + 60_000).toISOString()
    const answer = await dev(node, 'mine_blocks', { until_time: until_time.slice(0, -1) })
    expect(Date.parse(`${answer.head_block_time}Z`)).equal(Date.parse(until_time))
    const { head_block_num: head } = answer
    for (const nothing of [{ until_block_num }, { blocks: 0 }]) {
      const text = `no block would be made: the head is block ${head}, and its time is`
      expect(await refused(node, 'mine_blocks', nothing)).include(text)
    }
    expect(await refused(node, 'mine_blocks', { blocks: 20_001 })).match(/in parts/)
    const too_late = { until_time: '8376-10-31T13:03:22' }
    expect(await refused(node, 'mine_blocks', too_late)).match(/out of range/)
    const last = answer.head_block_num + 50
    const both = await dev(node, 'mine_blocks', { blocks: 2, until_block_num: last })
    expect(both).include({ head_block_num: last })
  })

  it('makes many blocks that are signed on two threads, which other nodes replay', async () => {
    const { path: folder, remove } = temporaryFolder()
    try {
      let node = await start({ folder })
      const asked = signaturesAsked()
      const { port1 } = new MessageChannel()
      node.engine.chain.addReader(port1)
      let most = 0
      const end = node.engine.chain.events.on('blockAccepted', (block) => {
        most = Math.max(most, block.block_num - block.irreversible_block_num)
      })
      await dev(node, 'mine_blocks', { blocks: 1100 })
      end()
      node.engine.chain.removeReader(port1)
      asked.restore()
      // Votes are made beside the next blocks, and waited for before too many blocks are not final.
      expect(most).within(128, 6 * 128)
      // While blocks are made, their signatures are not waited for, also where another thread reads the state.
      expect(asked.before_end).equal(0)
      expect(asked.at_end).within(1000, 1100)
      const { chain } = node.engine
      const mined = chain.head
      expect(mined.block_num - mined.irreversible_block_num).most(10)
      const { status, body } = await node.ask('/v1/trace_api/get_block', {
        body: { block_num: mined.block_num },
      })
      expect(status).equal(200)
      expect(body).include({ id: mined.key, number: mined.block_num })
      // Until the digest, no other task may run: production continues.
      chain.abortBlock()
      const { head } = chain
      const digest = stateDigest(chain.db)
      const plain = await TestChain.open()
      for (let num = 2; num <= head.block_num; num++) {
        plain.setTime(head.timestamp)
        plain.chain.pushBlock(chain.packedBlockByNumber(num)!)
      }
      expect(plain.chain.head.key).equal(head.key)
      expect(stateDigest(plain.chain.db)).equal(digest)
      await plain.chain.close()
      await nodes.pop()!.stop()
      node = await start({ folder })
      expect(node.engine.chain.blockIdByNumber(head.block_num)).deep.equal(head.id)
    } finally {
      await nodes.pop()?.stop()
      remove()
    }
  })

  it('ends when a peer connects', async () => {
    const node = await start()
    await dev(node, 'set_production_mode', { mode: 'manual' })
    const { chain, services } = node.engine
    const first = chain.head.block_num
    let heard = 0
    const end = chain.events.on('blockAccepted', () => {
      if (++heard < 10) return
      services.net.connections = () => [{ is_socket_open: true } as never]
      end()
    })
    expect(await refused(node, 'mine_blocks', { blocks: 1000 })).match(/this node has peers/)
    expect(chain.head.block_num).within(first + 10, first + 128)
    services.net.connections = () => []
    await dev(node, 'mine_blocks')
  })

  it('makes no more blocks between two votes than may be reversible', async () => {
    const node = await start({ argv: ['--max-reversible-blocks=9'] })
    await dev(node, 'set_production_mode', { mode: 'manual' })
    const { head_block_num } = await dev(node, 'mine_blocks', { blocks: 30 })
    expect(head_block_num - node.engine.chain.last_irreversible.block_num).most(6)
  })

  it('waits for votes also before the first block, where few blocks may be reversible', async () => {
    const node = await start({ argv: ['--max-reversible-blocks=3', '--pause-on-startup'] })
    await dev(node, 'set_production_mode', { mode: 'instant' })
    expect((await node.ask('/v1/producer/resume')).status).equal(201)
    const { chain } = node.engine
    // It gets a block, whose votes are not there yet.
    await dev(node, 'create_account', { name: 'alice' })
    const first = chain.head.block_num
    for (const blocks of [30, 1, 1, 5]) await dev(node, 'mine_blocks', { blocks })
    expect(chain.head.block_num).equal(first + 37)
    expect(chain.head.block_num - chain.head.irreversible_block_num).equal(2)
  })

  it('moves time forward, and back only to a checkpoint', async () => {
    const node = await start()
    const day_ms = 86_400_000
    const { time } = await dev(node, 'get_controls')
    await dev(node, 'take_checkpoint')
    const later = await dev(node, 'advance_time', { seconds: day_ms / 1000 })
    const passed_ms = Date.parse(`${later.head_block_time}Z`) - Date.parse(`${time}Z`)
    // The time that passes between two requests depends on the machine.
    expect(passed_ms).within(day_ms, 1.5 * day_ms)
    for (const until of [time, later.time]) {
      expect(await refused(node, 'advance_time', { until })).match(/only to a checkpoint/)
    }
    expect(await refused(node, 'advance_time', { until: '2061-01-01T00:00:00' })).match(/2060/)
    expect(await refused(node, 'advance_time', { seconds: 0 })).match(/only to a checkpoint/)
    await dev(node, 'go_back_to_checkpoint', { checkpoint: 1 })
    const back = await dev(node, 'get_controls')
    expect(Date.parse(`${back.time}Z`) - Date.parse(`${time}Z`)).within(0, day_ms / 2)
    await node.nextBlock()
  })

  it('numbers checkpoints; an error names one that was dropped', async () => {
    const node = await start()
    for (const checkpoint of [1, 2, 3]) {
      expect(await dev(node, 'take_checkpoint')).include({ checkpoint })
      await dev(node, 'mine_blocks')
    }
    const { checkpoints } = await dev(node, 'go_back_to_checkpoint', { checkpoint: 2 })
    expect(checkpoints.map(({ checkpoint }) => checkpoint)).deep.equal([1, 2])
    expect(await refused(node, 'go_back_to_checkpoint', { checkpoint: 3 })).match(/no checkpoint 3/)
    await dev(node, 'drop_checkpoint', { checkpoint: 1 })
    await dev(node, 'go_back_to_checkpoint', { checkpoint: 2 })
    expect(await refused(node, 'drop_checkpoint', { checkpoint: 1 })).match(/no checkpoint 1/)
  })

  it('takes unsigned transactions of named accounts, which other nodes replay', async () => {
    const { path: folder, remove } = temporaryFolder()
    const on = await ExampleNode.start(folder, [])
    const { node } = on
    try {
      await on.createAccount('alice')
      const update = await on.action('eosio', 'updateauth', 'alice', {
        account: 'alice',
        permission: 'low',
        parent: 'active',
        auth: authorityOf('eosio'),
      })
      const unsigned = await on.signed([], [update])
      expect((await node.chain('send_transaction', unsigned)).status).equal(401)
      await dev(node, 'act_as', { accounts: ['alice'] })
      expect((await node.chain('send_transaction', unsigned)).status).equal(202)
      await on.produce(2)
      const plain = await TestChain.open({ validation_mode: 'light' })
      const { chain } = node.engine
      for (let num = 2; num <= chain.head.block_num; num++) {
        plain.setTime(chain.head.timestamp)
        plain.chain.pushBlock(chain.packedBlockByNumber(num)!)
      }
      chain.abortBlock()
      expect(stateDigest(plain.chain.db)).equal(stateDigest(chain.db))
      await plain.chain.close()
    } finally {
      await node.stop()
      remove()
    }
  })

  it('creates accounts, sets authorities and balances, in the name of anyone', async () => {
    const { path: folder, remove } = temporaryFolder()
    const on = await developmentChain(folder)
    const { node } = on
    try {
      const { wasm, abi } = contractFiles('eosio.token')
      await dev(node, 'create_account', {
        name: 'dave',
        code: wasm.toString('hex'),
        abi,
      })
      expect((await node.chain('get_abi', { account_name: 'dave' })).text).include('transfer')
      const auth = authorityOf('carol')
      await dev(node, 'set_authority', { account: 'bob', authority: auth })
      const bob = (await node.chain('get_account', { account_name: 'bob' })).text
      expect(bob).include(JSON.stringify(String(keyOf('carol').toPublic().toLegacyString())))
      const balance = async (account: string) =>
        (await node.chain('get_currency_balance', { code: 'eosio.token', account })).body
      // More than there is, less, and more again.
      for (const quantity of ['700.0000 SYS', '0.0001 SYS', '999000.0000 SYS']) {
        await dev(node, 'set_balance', { account: 'bob', quantity })
        expect(await balance('bob')).deep.equal([quantity])
      }
      const before = await balance('alice')
      await dev(node, 'set_balance', { account: 'carol', quantity: '2000.0000 SYS' })
      expect(await balance('carol')).deep.equal(['2000.0000 SYS'])
      expect(await balance('alice')).deep.equal(before)
      expect(await refused(node, 'set_balance', { account: 'bob', quantity: '1.00 SYS' })).match(
        /no token with the symbol/,
      )
      expect(await refused(node, 'create_account', { name: 'alice' })).match(/already/)
      const bad = { name: 'erin', abi: '{' }
      expect(await refused(node, 'create_account', bad)).match(/the ABI cannot be read/)
      const no_code = { name: 'erin', code: '00' }
      expect(await refused(node, 'create_account', no_code)).match(/wasm/)
      expect((await node.chain('get_account', { account_name: 'erin' })).status).equal(400)
      const plain = await TestChain.open({ validation_mode: 'light' })
      const { chain } = node.engine
      for (let num = 2; num <= chain.head.block_num; num++) {
        plain.setTime(chain.head.timestamp)
        plain.chain.pushBlock(chain.packedBlockByNumber(num)!)
      }
      chain.abortBlock()
      expect(stateDigest(plain.chain.db)).equal(stateDigest(chain.db))
      await plain.chain.close()
    } finally {
      await node.stop()
      remove()
    }
  })

  it('moves tokens from the richest holder where no more can be issued', async () => {
    const { path: folder, remove } = temporaryFolder()
    const on = await developmentChain(folder)
    const { chain } = on.node.engine
    try {
      const [token, code] = [N('eosio.token'), assetFromString('0.0000 SYS').symbol >> 8n]
      const { id } = chain.db.table_id.get('by_code_scope_table', token, code, N('stat'))
      const row = chain.db.key_value.find(id, code)
      const stat = chain.db.key_value.value(row).slice()
      // The maximum becomes the supply.
      stat.copyWithin(16, 0, 16)
      chain.db.key_value.update(row, N('alice'), stat)
      const actionsOf = (quantity: string) =>
        setBalanceActions(chain.db, token, N('bob'), assetFromString(quantity))
      const [move, ...others] = actionsOf('999.0000 SYS')
      expect(others).deep.equal([])
      expect(move).deep.include({ account: token, name: N('transfer') })
      expect(move!.authorization).deep.equal([{ actor: N('alice'), permission: N('active') }])
      expect(() => actionsOf('1000.0001 SYS')).throw('no more than 1000.0000 SYS can be issued')
      expect(actionsOf('0.0000 SYS')).deep.equal([])
    } finally {
      await on.node.stop()
      remove()
    }
  })

  it('says at later starts that anyone could act for accounts', async () => {
    const { path: folder, remove } = temporaryFolder()
    const warned = (node: TestNode) => node.log.filter((line) => /without their keys/.test(line))
    try {
      let node = await start({ folder })
      await dev(node, 'act_as', { accounts: [] })
      expect(warned(node)).deep.equal([])
      await nodes.pop()!.stop()
      node = await start({ folder, argv: ['--any-account=alice'] })
      expect(node.engine.services.production.rules.any_account).deep.equal(new Set([N('alice')]))
      expect(warned(node)).deep.equal([])
      await nodes.pop()!.stop()
      node = await start({ folder })
      expect(warned(node)).length(1)
      await nodes.pop()!.stop()
    } finally {
      remove()
    }
  })

  it('keeps its time over a restart: the clock is not before the head', async () => {
    const { path: folder, remove } = temporaryFolder()
    try {
      let node = await start({ folder })
      const { head_block_time } = await dev(node, 'advance_time', { seconds: 86_400 })
      await nodes.pop()!.stop()
      node = await start({ folder })
      expect((await dev(node, 'get_controls')).time >= head_block_time).equal(true)
      await node.nextBlock()
      await nodes.pop()!.stop()
    } finally {
      remove()
    }
  })

  it('is refused on other chains, and on addresses that other machines can reach', async () => {
    const other = await start({ argv: ['--producer-name=eosio', '--enable-stale-production'] })
    for (const operation of ['get_controls', 'mine_blocks', 'take_checkpoint']) {
      expect(await refused(other, operation)).match(
        /^unsupported_feature: only a development chain/,
      )
    }
    const wide = await start({ argv: ['--http-server-address=0.0.0.0:0'] })
    const url = wide.url.replace('0.0.0.0', '127.0.0.1')
    const answer = await fetch(`${url}/v1/dev/get_controls`, { method: 'POST' })
    expect(answer.status).equal(404)
    expect(await answer.text()).match(/served only on loopback addresses/)
    const refusal = await start({ argv: ['--producer-name=eosio', '--any-account=all'] }).catch(
      (error: Error) => error.message,
    )
    expect(refusal).match(/any-account is for development chains/)
  })

  it('brings back what waits for a block, and the lists', async () => {
    const { path: folder, remove } = temporaryFolder()
    const on = await ExampleNode.start(folder, [])
    const { node } = on
    try {
      await dev(node, 'set_production_mode', { mode: 'manual' })
      await on.createAccount('alice')
      await node.producer('add_greylist_accounts', { accounts: ['eosio'] })
      await dev(node, 'take_checkpoint')
      for (let i = 0; i < 2; i++) {
        await dev(node, 'mine_blocks')
        expect((await node.chain('get_account', { account_name: 'alice' })).status).equal(200)
        await node.producer('remove_greylist_accounts', { accounts: ['eosio'] })
        await dev(node, 'go_back_to_checkpoint', { checkpoint: 1 })
        // It is in the pending block again.
        expect(node.engine.chain.pending!.trx_metas).length(1)
        expect((await node.producer('get_greylist')).body).deep.equal({ accounts: ['eosio'] })
      }
    } finally {
      await node.stop()
      remove()
    }
  })

  it('answers those who wait for a block when the chain goes back', async () => {
    const { path: folder, remove } = temporaryFolder()
    const on = await ExampleNode.start(folder, [])
    const { node } = on
    try {
      await dev(node, 'set_production_mode', { mode: 'manual' })
      await dev(node, 'take_checkpoint')
      const create = await on.action('eosio', 'newaccount', 'eosio', {
        creator: 'eosio',
        name: 'alice',
        owner: authorityOf('alice'),
        active: authorityOf('alice'),
      })
      const transaction = await on.signed(['eosio'], [create])
      const body = { transaction, retry_trx: true }
      const waiting = node.chain('send_transaction2', body)
      await until('it is waited for', () => node.engine.services.transaction_retry!.size === 1)
      await dev(node, 'go_back_to_checkpoint', { checkpoint: 1 })
      expect(errorOf(await waiting)).match(/producer_exception: the chain went back/)
    } finally {
      await node.stop()
      remove()
    }
  })
})
