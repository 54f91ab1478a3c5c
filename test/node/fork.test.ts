/** A node that runs a fork of a public chain: which settings it has, and what it answers. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  Engine,
  chainIdOfSnapshot,
  nameFromString,
  slotToUs,
  systemClock,
  toHex,
} from '../../src/engine/index.ts'
import { keyAuthority, packAuthority } from '../../src/engine/protocol/authority.ts'
import { N } from '../../src/engine/protocol/name.ts'
import { publicKeyFromString } from '../../src/engine/protocol/key.ts'
import { refBlockOf } from '../../src/engine/protocol/transaction.ts'
import { Writer } from '../../src/engine/protocol/writer.ts'
import { DEVELOPMENT_PUBLIC_KEY } from '../../src/node/development.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import { firstBlock } from '../../src/node/first_block.ts'
import { prepareFolders } from '../../src/node/prepare_folders.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { recordedSnapshot } from '../engine/snapshot/support/snapshot_files.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'

const SNAPSHOT_BLOCK = 0x67
const AUTHORITY = {
  threshold: 1,
  keys: [],
  accounts: [{ permission: { actor: 'eosio', permission: 'active' }, weight: 1 }],
  waits: [],
}

describe('node: a fork of a public chain', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let snapshot: string
  before(() => {
    folder = temporaryFolder()
    snapshot = join(folder.path, 'snapshot.bin')
    writeFileSync(snapshot, recordedSnapshot(SNAPSHOT_BLOCK))
  })
  after(() => folder.remove())

  const valuesOf = (data: string, ...argv: string[]) =>
    parseOptions(['--data-dir', join(folder.path, data), ...argv])
  const settings = (...argv: string[]) => nodeSettings(valuesOf('none', ...argv), '1.2.3', 0)
  const refusal = (...argv: string[]) => expect(() => settings(...argv))

  describe('settings', () => {
    it('are those of a development chain, with the keys that take over', () => {
      const { development, idle_reason, producer_names, engine } = settings('--fork', snapshot)
      expect({ development, idle_reason }).deep.equal({ development: true, idle_reason: undefined })
      expect(producer_names).deep.equal(['eosio'])
      expect(engine.savanna_from_start).equal(false)
      expect(engine.rules.any_account).equal('all')
      expect(engine.services.production.enable_stale_production).equal(true)
      expect(engine.services.net).deep.include({ listeners: [], peers: [] })
      expect(engine.fork).deep.equal({
        snapshot,
        producers: [N('eosio')],
        signing_key: publicKeyFromString(DEVELOPMENT_PUBLIC_KEY),
        finalizers: [...engine.finalizer_keys.keys()].map((key) => Buffer.from(key, 'hex')),
      })
    })

    it('another producer and other keys may take over', () => {
      const { engine, producer_names } = settings('--fork', snapshot, '-p', 'alice')
      expect(producer_names).deep.equal(['alice'])
      expect(engine.fork!.producers).deep.equal([nameFromString('alice')])
      expect(engine.services.production.producers).deep.equal([nameFromString('alice')])
      expect(engine.services.production.enable_stale_production).equal(true)
    })

    it('another source of the chain, and peers, are refused', () => {
      const fork = ['--fork', snapshot]
      refusal('--fork', join(folder.path, 'none.bin')).throw(OptionError, /there is no file/)
      refusal(...fork, '--snapshot', snapshot).throw(OptionError, /^fork and snapshot: /)
      refusal(...fork, '--replay', snapshot).throw(OptionError, /^fork and replay: /)
      refusal(...fork, '--genesis-json', snapshot).throw(OptionError, /genesis/)
      refusal(...fork, '--genesis-timestamp', 'now').throw(OptionError, /genesis-timestamp/)
      const peer = /this chain is a fork of a public chain, and has no peers$/
      refusal(...fork, '--p2p-peer-address', 'localhost:9876').throw(OptionError, peer)
      refusal(...fork, '--p2p-listen-endpoint', 'localhost:9876').throw(OptionError, peer)
      refusal(...fork, '--p2p-auto-bp-peer', 'bob,localhost:9876').throw(OptionError, peer)
      refusal(...fork, '--p2p-bp-gossip-endpoint', 'eosio,a:1,1.2.3.4').throw(OptionError, peer)
      expect(settings(...fork, '--p2p-listen-endpoint=').development).equal(true)
    })

    it('a key for blocks is needed', () => {
      const bls =
        'PUB_BLS_sGOyYNtpmmjfsNbQaiGJrPxeSg9sdx0nRtfhI_KnWoACXLL53FIf1HjpcN8wX0cYQyOE60NLSI9iPY8mIlT4GkiFMT3ez7j2IbBBzR0D1MthC0B_fYlgYWwjcbqCOowSaH48KA=KEY:PVT_BLS_QgHHJ5vprZcjG7P0xWoIdX4yKPQXoG4k3e28TpLIQicB7GL_'
      refusal('--fork', snapshot, '--signature-provider', bls).throw(
        OptionError,
        /no key for blocks/,
      )
    })
  })

  it('produces, takes transactions of any account, and continues after a restart', async () => {
    const data = join(folder.path, 'data')
    const chain_id = toHex(chainIdOfSnapshot(snapshot))
    let node = await TestNode.start({ folder: data, argv: ['--fork', snapshot] })
    try {
      await firstBlock(node.engine)
      const age_ms = Date.now() - slotToUs(node.engine.chain.head.timestamp) / 1000
      expect(age_ms, 'the head is recent when the node is ready').below(10_000)
      const { body: info } = await node.chain('get_info')
      expect(info).include({ chain_id, head_block_producer: 'eosio' })
      expect(node.log.filter((line) => line.includes('THIS IS A FORK'))).deep.equal([
        `warn THIS IS A FORK of chain ${chain_id}: the blocks after block ${SNAPSHOT_BLOCK} exist only on this ` +
          'node, and not on the public chain',
      ])
      const sent = await node.chain('send_transaction', unsigned(node, newaccount('forked')))
      expect(sent.status, JSON.stringify(sent.body)).equal(202)
      const connect = await node.ask('/v1/net/connect', { body: JSON.stringify('localhost:9876') })
      expect(connect.status).equal(500)
      expect(connect.text).include('unsupported_feature').include('a fork has no peers')
      await until('blocks of the fork are final', async () => {
        const { body } = await node.chain('get_info')
        return (
          (body as { last_irreversible_block_num: number }).last_irreversible_block_num >
          SNAPSHOT_BLOCK + 2
        )
      })
    } finally {
      await node.stop()
    }
    const head = node.head_block_num
    for (const argv of [['--fork', snapshot], []]) {
      node = await TestNode.start({ folder: data, argv })
      try {
        expect(node.head_block_num).least(head)
        await node.nextBlock()
        const { status } = await node.chain('get_account', { account_name: 'forked' })
        expect(status).equal(200)
        expect(node.log.join('\n')).include('THIS IS A FORK')
      } finally {
        await node.stop()
      }
    }
  })

  it('is controlled as every development chain', async () => {
    const node = await TestNode.start({ argv: ['--fork', snapshot] })
    try {
      const dev = async (operation: string, body: object = {}) => {
        const answer = await node.ask(`/v1/dev/${operation}`, { body })
        expect(answer.status, answer.text).equal(201)
        return answer.body as { head_block_num: number; time: string; act_as_all: boolean }
      }
      await dev('set_production_mode', { mode: 'manual' })
      const { head_block_num, time } = await dev('mine_blocks')
      await dev('take_checkpoint')
      const created = await dev('create_account', { name: 'controlled' })
      expect(created).include({ act_as_all: true, head_block_num: head_block_num + 1 })
      await dev('set_authority', { account: 'controlled', authority: AUTHORITY })
      const later = await dev('advance_time', { seconds: 86_400 })
      expect(later.time > time).equal(true)
      await dev('mine_blocks', { blocks: 20 })
      const account = () => node.chain('get_account', { account_name: 'controlled' })
      expect((await account()).status).equal(200)
      const back = await dev('go_back_to_checkpoint', { checkpoint: 1 })
      expect(back).include({ head_block_num })
      expect((await account()).status).equal(400)
      await dev('drop_checkpoint', { checkpoint: 1 })
      await dev('mine_blocks', { blocks: 5 })
    } finally {
      await node.stop()
    }
  })

  it('has no peers, whatever its settings are', async () => {
    const { engine } = nodeSettings(valuesOf('peers', '--fork', snapshot), '1.2.3', 0)
    delete engine.data_dir
    Object.assign(engine.services.net, { peers: ['localhost:9876'] })
    const opened = Engine.open(engine, { clock: systemClock, log: () => {}, end: () => {} })
    const error = await opened.catch((reason: Error) => reason)
    expect((error as Error).message).match(/a fork has no peers$/)
  })

  it('the state is made again from the first state and the blocks, and deleted with the blocks', async () => {
    const data = join(folder.path, 'again')
    const first = await TestNode.start({ folder: data, argv: ['--fork', snapshot] })
    await first.nextBlock()
    await first.stop()
    const prepared = async (...argv: string[]) => {
      const values = valuesOf('again', ...argv)
      await prepareFolders(nodeSettings(values, '1.2.3', 0), values, () => {})
    }
    await prepared('--replay-blockchain')
    const again = await TestNode.start({ folder: data })
    expect(again.engine.chain.is_fork).equal(true)
    expect(again.head_block_num).least(first.head_block_num)
    await again.stop()
    await prepared('--delete-all-blocks')
    expect(existsSync(join(data, 'fork.bin'))).equal(false)
    const fresh = await TestNode.start({ folder: data })
    expect(fresh.engine.chain.is_fork).equal(false)
    await fresh.stop()
  })
})

function newaccount(name: string) {
  const w = new Writer()
  w.u64(N('eosio'))
  w.u64(N(name))
  packAuthority(w, keyAuthority(publicKeyFromString(DEVELOPMENT_PUBLIC_KEY)))
  packAuthority(w, keyAuthority(publicKeyFromString(DEVELOPMENT_PUBLIC_KEY)))
  return {
    account: 'eosio',
    name: 'newaccount',
    authorization: [{ actor: 'eosio', permission: 'active' }],
    data: Buffer.from(w.bytes()).toString('hex'),
  }
}

/** A transaction without signatures. */
function unsigned(node: TestNode, action: object) {
  const { head } = node.engine.chain
  const expiration = new Date(Date.now() + 600_000).toISOString().slice(0, 19)
  return {
    signatures: [],
    compression: 'none',
    packed_context_free_data: '',
    transaction: { expiration, ...refBlockOf(head.id), actions: [action] },
  }
}
