import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { nodeSettings } from '../../../../src/node/engine_settings.ts'
import { prepareFolders } from '../../../../src/node/prepare_folders.ts'
import { parseOptions } from '../../../../src/options/parse.ts'
import { temporaryFolder } from '../../../support/node_process.ts'
import { TestNode } from '../../../support/test_node.ts'
import { dev, refusalOf, type Controls } from './support/controls.ts'

const refused = (node: TestNode, body: object) => refusalOf(node, 'save_state', body)

describe('states of a development chain in files', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let state: string
  let saved: { block_id: string; block_num: number }
  let at_save: Controls

  const at = (name: string) => join(folder.path, name)
  /** Starts a node from the state; the error if it does not start. */
  const load = (data: string, file: string, ...argv: string[]): Promise<TestNode | string> =>
    TestNode.start({ folder: at(data), argv: ['--load-state', file, ...argv] }).catch(
      (error: Error) => error.message,
    )

  before(async () => {
    folder = temporaryFolder()
    const node = await TestNode.start({ folder: at('first') })
    try {
      await dev(node, 'set_production_mode', { mode: 'manual' })
      await dev(node, 'create_account', { name: 'alice' })
      await dev(node, 'act_as', { accounts: ['alice', 'bob'] })
      await dev(node, 'advance_time', { seconds: 1_000_000 })
      at_save = await dev(node, 'get_controls')
      saved = await dev(node, 'save_state', { name: 'prepared' })
      // What happens later is not in it.
      await dev(node, 'create_account', { name: 'carol' })
      await dev(node, 'mine_blocks', { blocks: 5 })
    } finally {
      await node.stop()
    }
    state = at('first/states/prepared.bin')
  })
  after(() => folder.remove())

  it('another node begins with the chain, its time, its mode and its rules', async () => {
    expect(saved).include({ block_id: at_save.head_block_id, block_num: at_save.head_block_num })
    const node = (await load('second', state)) as TestNode
    try {
      const controls = await dev(node, 'get_controls')
      const { production_mode, head_block_id, act_as_accounts } = controls
      expect({ production_mode, head_block_id, act_as_accounts }).deep.equal({
        production_mode: 'manual',
        head_block_id: saved.block_id,
        act_as_accounts: ['alice', 'bob'],
      })
      expect(controls.time >= at_save.time).equal(true)
      const account = async (account_name: string) =>
        (await node.chain('get_account', { account_name })).status
      expect([await account('alice'), await account('carol')]).deep.equal([200, 400])
      await dev(node, 'create_account', { name: 'dave' })
      const later = await dev(node, 'mine_blocks', { blocks: 10 })
      expect(later.head_block_num).equal(saved.block_num + 11)
      expect(later.last_irreversible_block_num).greaterThan(saved.block_num)
      // A state of the same name is replaced; it is loaded too.
      const { block_num } = await dev<typeof saved>(node, 'save_state', { name: 'prepared' })
      expect(block_num).equal(later.head_block_num)
    } finally {
      await node.stop()
    }
    const third = (await load('third', at('second/states/prepared.bin'))) as TestNode
    expect((await third.chain('get_account', { account_name: 'dave' })).status).equal(200)
    await third.stop()
    // The node goes on with its own chain without the option.
    const again = await TestNode.start({ folder: at('third') })
    expect((await again.chain('get_account', { account_name: 'dave' })).status).equal(200)
    await again.stop()
  })

  it('a node begins with it where it deletes the chain that it had', async () => {
    const first = await TestNode.start({ folder: at('deleted') })
    await dev(first, 'mine_blocks', { blocks: 20 })
    await first.stop()
    const loading = ['--load-state', state, '--delete-all-blocks']
    const values = parseOptions(['--data-dir', at('deleted'), ...loading])
    await prepareFolders(nodeSettings(values, '1.2.3', 0), values, () => {})
    const node = (await load('deleted', state, '--delete-all-blocks')) as TestNode
    expect((await dev(node, 'get_controls')).head_block_id).equal(saved.block_id)
    const { last_irreversible_block_num } = await dev(node, 'mine_blocks', { blocks: 10 })
    expect(last_irreversible_block_num).greaterThan(saved.block_num)
    await node.stop()
  })

  it('what cannot be loaded is refused with the reason', async () => {
    const refusal = async (...args: Parameters<typeof load>): Promise<string> => {
      const node = await load(...args)
      if (typeof node === 'string') return node
      await node.stop()
      return 'it started'
    }
    expect(await refusal('none', at('missing.bin'))).match(/^load-state: there is no file/)
    expect(await refusal('first', state)).match(/^load-state: .* has a chain already/)
    expect(await refusal('none', state, '-p', 'eosio')).match(/for development chains/)
    expect(await refusal('none', state, '--snapshot', state)).match(/^load-state and snapshot/)
    copyFileSync(state, at('alone.bin'))
    expect(await refusal('none', at('alone.bin'))).match(/^load-state: ENOENT.*alone\.json/)
    for (const damaged of ['{"block_id":1}', '', '\0\0\0', 'null', '{"block_id":"0']) {
      writeFileSync(at('alone.json'), damaged)
      expect(await refusal('none', at('alone.bin'))).match(
        /^load-state: .*alone\.json is damaged, or was not written by save_state: put a copy/,
      )
    }
    const additions = readFileSync(at('first/states/prepared.json'), 'utf8')
    writeFileSync(at('alone.json'), additions.replace(/"block_id":"..../, '"block_id":"ffff'))
    expect(await refusal('none', at('alone.bin'))).match(/do not belong together/)
    writeFileSync(at('alone.json'), additions)
    const bytes = readFileSync(state)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(at('alone.bin'), bytes)
    copyFileSync(`${state}.sha256`, at('alone.bin.sha256'))
    expect(await refusal('fresh', at('alone.bin'))).match(/alone\.bin is not the file of which/)
    rmSync(at('alone.bin.sha256'))
    writeFileSync(at('alone.bin'), bytes.subarray(0, 100))
    expect(await refusal('fresh', at('alone.bin'))).match(/^snapshot .*alone\.bin: /)
    // Nothing was made of it.
    copyFileSync(state, at('alone.bin'))
    expect(await refusal('fresh', at('alone.bin'))).equal('it started')
  })

  it('what cannot be saved is refused, and changes nothing', async () => {
    const nowhere = await TestNode.start()
    expect(await refused(nowhere, { name: 'a' })).match(/^500 unsupported_feature: .*on the disk/)
    await nowhere.stop()
    const node = await TestNode.start({ folder: at('refused') })
    try {
      for (const name of ['', '../a', 'a/b', 'a.bin', '-a', 'a'.repeat(65), 1, null]) {
        expect(await refused(node, { name })).match(/^400 invalid_http_request/)
      }
      rmSync(at('refused/states'), { recursive: true, force: true })
      writeFileSync(at('refused/states'), 'no folder')
      expect(await refused(node, { name: 'a' })).match(/^500 snapshot_exception: the state cannot/)
      rmSync(at('refused/states'))
      mkdirSync(at('refused/states'))
      await dev(node, 'save_state', { name: 'a' })
    } finally {
      await node.stop()
    }
  })
})
