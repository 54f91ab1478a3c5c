/** A saved state takes the place of the chain of a node that runs. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { LoadingState, eraseBlocks, eraseState } from '../../../../src/engine/index.ts'
import { createMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import type { Chain } from '../../../../src/engine/chain/chain.ts'
import { makePackedTransaction } from '../../../../src/engine/protocol/packed_transaction.ts'
import { plainTransaction } from '../../../../src/engine/protocol/transaction.ts'
import type { RunningEngine } from '../../../../src/node/running_engine.ts'
import { checkLoadable } from '../../../../src/engine/services/dev/check_loadable.ts'
import { recordedSnapshot } from '../../snapshot/support/snapshot_files.ts'
import { KeptClient } from '../../../support/kept_client.ts'
import { temporaryFolder } from '../../../support/node_process.ts'
import { TestNode } from '../../../support/test_node.ts'
import { until } from '../../../support/wait.ts'
import { dev, refusalOf, type Controls } from './support/controls.ts'

const refusal = (node: TestNode, body: object) => refusalOf(node, 'load_state', body)

const has = async (node: TestNode, account_name: string): Promise<boolean> =>
  (await node.chain('get_account', { account_name })).status === 200

describe('the state of a file takes the place of a running chain', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let node: TestNode
  let at_save: Controls
  const at = (name: string) => join(folder.path, 'data', name)
  const start = (...argv: string[]) => TestNode.start({ folder: at(''), argv })
  const load = () => dev(node, 'load_state', { name: 'prepared' })

  /** The node goes on from the state, and also after a restart. */
  async function continues(): Promise<void> {
    expect([await has(node, 'alice'), await has(node, 'bob')]).deep.equal([true, false])
    await dev(node, 'create_account', { name: 'carol' })
    const { head_block_num } = await dev(node, 'mine_blocks', { blocks: 10 })
    await node.stop()
    node = await start()
    expect((await dev(node, 'get_controls')).head_block_num).least(head_block_num)
    expect([await has(node, 'carol'), await has(node, 'bob')]).deep.equal([true, false])
    const mined = await dev(node, 'mine_blocks', { blocks: 10 })
    // Its finalizers vote.
    expect(mined.last_irreversible_block_num).greaterThan(head_block_num)
  }

  beforeEach(async () => {
    folder = temporaryFolder()
    node = await start()
    await dev(node, 'set_production_mode', { mode: 'manual' })
    await dev(node, 'create_account', { name: 'alice' })
    await dev(node, 'act_as', { accounts: ['alice'] })
    at_save = await dev(node, 'advance_time', { seconds: 1_000_000 })
    await dev(node, 'save_state', { name: 'prepared' })
    await dev(node, 'create_account', { name: 'bob' })
    await dev(node, 'take_checkpoint')
    await dev(node, 'act_as', { accounts: ['bob'] })
    await dev(node, 'mine_blocks', { blocks: 20 })
    await dev(node, 'set_production_mode', { mode: 'instant' })
  })
  afterEach(async () => {
    const { faults } = node
    await node.stop()
    folder.remove()
    const unexpected = faults.filter((line) => !/without their keys|THIS IS A FORK/.test(line))
    expect(unexpected).deep.equal([])
  })

  it('with its head, time, mode and rules, any number of times, and after a restart', async () => {
    const { engine } = node
    const versions = [engine.chain.version]
    for (let i = 0; i < 3; i++) {
      const controls = await load()
      const { head_block_id, production_mode, act_as_accounts, checkpoints } = controls
      expect({ head_block_id, production_mode, act_as_accounts, checkpoints }).deep.equal({
        head_block_id: at_save.head_block_id,
        production_mode: 'manual',
        act_as_accounts: ['alice'],
        checkpoints: [],
      })
      expect(controls.time >= at_save.time).equal(true)
      expect([await has(node, 'alice'), await has(node, 'bob')]).deep.equal([true, false])
      await dev(node, 'create_account', { name: 'bob' })
      versions.push(node.engine.chain.version)
    }
    expect(node.engine).not.equal(engine)
    await load()
    expect(readdirSync(at('')).filter((name) => name.startsWith('loading'))).deep.equal([])
    expect(readdirSync(at('finalizers'))).not.include('safety.dat.lost-1')
    await continues()
  })

  it('of a node that was started with a deleted chain, or with another state', async () => {
    await dev(node, 'save_state', { name: 'later' })
    for (const source of [[], ['--load-state', at('states/later.bin')]]) {
      await node.stop()
      node = await start('--delete-all-blocks', ...source)
      expect((await load()).head_block_id).equal(at_save.head_block_id)
    }
    await continues()
  })

  it('when the node has started, if the request comes while it opens its addresses', async () => {
    await node.stop()
    let loaded: Promise<unknown> | undefined
    const onListening = async (engine: RunningEngine): Promise<void> => {
      loaded = engine.api.dev.loadState({ name: 'prepared' })
      await until('the load is decided', () => new LoadingState(at('')).isDecided)
      await new Promise(setImmediate)
      expect(engine.replacing).equal(undefined)
    }
    node = await TestNode.start({ folder: at(''), onListening })
    const opened = node.engine
    await loaded
    expect(node.engine).not.equal(opened)
    await continues()
  })

  it('while other requests come, each of which is answered', async () => {
    const questions = Array.from({ length: 20 }, (_, i) => i)
    const ask = () => questions.map(() => node.chain('get_info', {}))
    const before = ask()
    const loading = load()
    const during = ask()
    const again = load().catch((error: Error) => error.message)
    const statuses = (await Promise.all([...before, ...during])).map(({ status }) => status)
    expect(new Set(statuses)).deep.equal(new Set([200]))
    expect((await loading).head_block_id).equal(at_save.head_block_id)
    expect(JSON.stringify(await again)).match(/another state is being loaded|"head_block_id"/)
    const { body } = await node.chain('get_info', {})
    expect((body as Controls).head_block_id).equal(at_save.head_block_id)
    const { text } = await node.ask('/v1/prometheus/metrics')
    expect(text).include(`nodeos_head_block_num ${at_save.head_block_num}\n`)
    await continues()
  })

  it('a stop ends mining between two blocks, and refuses what waits for its end', async () => {
    const { dev: controls } = node.engine.api
    const failed = async (asked: Promise<unknown>): Promise<string> =>
      asked.then(() => 'done', String)
    const mining = failed(controls.mineBlocks({ blocks: 20_000 }))
    const loading = failed(controls.loadState({ name: 'prepared' }))
    await node.nextBlock()
    await node.stop()
    expect([await mining, await loading]).deep.equal(Array(2).fill('ChainError: the node stops'))
    const { head_block_num } = node
    node = await start()
    expect(node.head_block_num).equal(head_block_num)
    expect(await has(node, 'bob')).equal(true)
  })

  it('a transaction that waits for a block is answered, and never happens', async () => {
    const { processor } = node.engine.services.production
    const transaction = { expiration: 0xffffffff, ref_block_num: 0, ref_block_prefix: 0 }
    const packed = makePackedTransaction({ ...transaction, ...plainTransaction([]) }, [])
    const outcome = new Promise((resolve) => {
      const entry = { meta: createMetadata(packed, 'input'), kind: 'incoming_api' as const }
      processor.queue.addIncoming({ ...entry, return_failure_trace: false, outcome: resolve })
    })
    await load()
    expect(await outcome).include({ errorName: 'interrupt_exception' })
    expect([...node.engine.services.production.processor.queue.entries()]).deep.equal([])
  })

  it('HTTP threads read the new chain', async () => {
    await node.stop()
    node = await TestNode.start({
      folder: at(''),
      argv: ['--http-threads=1'],
      server: { validate_responses: false },
    })
    const bob = { account_name: 'bob' }
    const first = new KeptClient(node.url)
    for (let i = 0; i < 600; i++) await first.post('get_account', bob)
    await until('the thread answers', async () => {
      const other = new KeptClient(node.url)
      await other.post('get_account', bob)
      other.socket.destroy()
      return node.server.threads.answered > 0
    })
    const reader = await KeptClient.of(node, true)
    expect(await reader.post('get_account', bob)).match(/^HTTP.1.1 200/)
    for (let i = 0; i < 3; i++) {
      await load()
      expect(await reader.post('get_account', bob)).match(/^HTTP.1.1 400/)
      expect(await reader.post('get_account', { account_name: 'alice' })).match(/^HTTP.1.1 200/)
      await dev(node, 'create_account', { name: 'bob' })
      expect(await reader.post('get_account', bob)).match(/^HTTP.1.1 200/)
    }
    const { answered } = node.server.threads
    await reader.post('get_account', bob)
    expect(node.server.threads.answered).equal(answered + 1)
    first.socket.destroy()
    reader.socket.destroy()
  })

  it('state history and traces begin with it', async () => {
    await node.stop()
    const history = ['--trace-history', '--chain-state-history', '--finality-data-history']
    node = await start(...history)
    await dev(node, 'mine_blocks', { blocks: 5 })
    await load()
    await dev(node, 'mine_blocks', { blocks: 5 })
    const block_num = at_save.head_block_num
    const trace = (num: number) => node.ask('/v1/trace_api/get_block', { body: { block_num: num } })
    expect((await trace(block_num - 1)).status).equal(404)
    expect((await trace(block_num + 1)).status).equal(200)
    await node.stop()
    node = await start(...history)
    await load()
    await dev(node, 'mine_blocks', { blocks: 3 })
  })

  it('what cannot be loaded is refused with the reason, and changes nothing', async () => {
    const before = await dev(node, 'get_controls')
    for (const name of ['', '../a', 'a/b', 'a.bin', '-a', 'a'.repeat(65), 1, null]) {
      expect(await refusal(node, { name })).match(/^400 invalid_http_request/)
    }
    expect(await refusal(node, { name: 'none' })).match(
      /^500 snapshot_exception: there is no state/,
    )
    const [bin, json] = [at('states/bad.bin'), at('states/bad.json')]
    const state = readFileSync(at('states/prepared.bin'))
    const additions = readFileSync(at('states/prepared.json'), 'utf8')
    const bad = () => refusal(node, { name: 'bad' })
    writeFileSync(bin, state)
    expect(await bad()).match(/^500 snapshot_exception: the state bad cannot be loaded: ENOENT/)
    writeFileSync(json, '{"block_id":1}')
    expect(await bad()).match(/bad\.json is damaged, or was not written by save_state/)
    writeFileSync(json, additions.replace(/"block_id":"..../, '"block_id":"ffff'))
    expect(await bad()).match(/snapshot_exception: the state bad .* do not belong together/)
    writeFileSync(json, additions)
    for (const size of [0, 10, 100, state.length - 1]) {
      writeFileSync(bin, state.subarray(0, size))
      expect(await bad()).match(/^500 snapshot_exception: the state bad cannot be loaded: /)
    }
    const damaged = Buffer.from(state)
    damaged[state.length >> 1]! ^= 1
    writeFileSync(bin, damaged)
    copyFileSync(at('states/prepared.bin.sha256'), at('states/bad.bin.sha256'))
    expect(await bad()).match(/bad\.bin is not the file of which/)
    rmSync(bin)
    mkdirSync(bin)
    expect(await bad()).match(/copyfile '[^']*bad\.bin' -> '[^']*loading\.bin'/)
    expect(existsSync(new LoadingState(at('')).path)).equal(false)
    // They are read without the checksum too.
    const other: Pick<Chain, 'chain_id' | 'is_fork'> = {
      chain_id: new Uint8Array(32),
      is_fork: false,
    }
    const known = JSON.parse(additions) as never
    const check = (chain: typeof other) => () =>
      checkLoadable(chain, at('states/prepared.bin'), known)
    expect(check(other)).throw('and this chain is 0000')
    const { chain_id } = node.engine.chain
    expect(check({ chain_id, is_fork: true })).throw('it is not of a fork')
    check({ chain_id, is_fork: false })()
    const after = await dev(node, 'get_controls')
    expect({ ...after, time: '' }).deep.equal({ ...before, time: '' })
    const nowhere = await TestNode.start()
    expect(await refusal(nowhere, { name: 'a' })).match(/^500 unsupported_feature: .*on the disk/)
    await nowhere.stop()
  })

  it('where the disk fails meanwhile the node ends, and the next start has the new chain', async () => {
    // Deleting the blocks fails.
    mkdirSync(at('blocks/reversible.log.new'))
    expect(await refusal(node, { name: 'prepared' })).match(/^500 snapshot_exception: .*loads it$/)
    expect((await node.chain('get_info', {})).status).equal(500)
    const faults = node.log.filter((line) => /^(error|end) /.test(line))
    expect(faults).length(2)
    expect(faults[0]).match(/^error the state is not loaded: .*; the next start loads it$/)
    expect(faults[1]).equal('end ')
    await node.stop()
    rmSync(at('blocks/reversible.log.new'), { recursive: true })
    node = await start()
    expect((await dev(node, 'get_controls')).head_block_id).equal(at_save.head_block_id)
    await continues()
  })

  it('on a fork of a public chain', async () => {
    await node.stop()
    const snapshot = join(folder.path, 'snapshot.bin')
    writeFileSync(snapshot, recordedSnapshot(0x67))
    const data = join(folder.path, 'fork')
    const fork = () => TestNode.start({ folder: data, argv: ['--fork', snapshot] })
    node = await fork()
    await dev(node, 'set_production_mode', { mode: 'instant' })
    await dev(node, 'mine_blocks', { blocks: 3 })
    const { head_block_id } = await dev(node, 'get_controls')
    await dev(node, 'save_state', { name: 'prepared' })
    await dev(node, 'mine_blocks', { blocks: 3 })
    expect((await load()).head_block_id).equal(head_block_id)
    const { head_block_num } = await dev(node, 'mine_blocks', { blocks: 3 })
    await node.stop()
    node = await fork()
    expect(node.engine.chain.is_fork).equal(true)
    expect((await dev(node, 'get_controls')).head_block_num).least(head_block_num)
    // The state of another chain is refused.
    for (const extension of ['bin', 'json', 'bin.sha256']) {
      copyFileSync(at(`states/prepared.${extension}`), join(data, `states/prepared.${extension}`))
    }
    expect(await refusal(node, { name: 'prepared' })).match(/it is of chain .*, and this chain is/)
  })

  describe('where the process ends meanwhile', () => {
    /** The copy is there, and nothing is decided. */
    const copied = (): LoadingState => {
      const loading = new LoadingState(at(''))
      loading.copy(at('states/prepared.bin'))
      return loading
    }
    const decided = (): void => copied().decide(readFileSync(at('states/prepared.json'), 'utf8'))

    it('before it was decided, the chain is the old one', async () => {
      const { head_block_id } = await dev(node, 'get_controls')
      await node.stop()
      copied()
      node = await start()
      expect((await dev(node, 'get_controls')).head_block_id).equal(head_block_id)
      expect(await has(node, 'bob')).equal(true)
      await load()
      await continues()
    })

    it('a copy that was damaged then is refused with what to do', async () => {
      await node.stop()
      decided()
      writeFileSync(new LoadingState(at('')).path, 'damaged')
      const log: string[] = []
      const error = await TestNode.start({ folder: at(''), log }).catch(String)
      expect(error).match(/loading\.bin/)
      expect(log.at(-1)).match(
        /^error load_state put .*loading\.bin in place of the chain.*--delete-all-blocks/,
      )
      node = await start('--delete-all-blocks')
      expect(await has(node, 'alice')).equal(false)
      expect(existsSync(new LoadingState(at('')).path)).equal(false)
    })

    const moments: Record<string, () => Promise<void> | void> = {
      'when it was decided': () => {},
      'when the state was deleted': () => eraseState(at('state')),
      'when the blocks were deleted too': async () => {
        await eraseState(at('state'))
        eraseBlocks(at('blocks'))
      },
      'when the new chain is there': async () => {
        node = await start()
        await node.stop()
        decided()
      },
    }
    for (const [moment, happen] of Object.entries(moments)) {
      it(`${moment}, the next start has the new chain`, async () => {
        await node.stop()
        decided()
        await happen()
        node = await start()
        const { head_block_num, production_mode } = await dev(node, 'get_controls')
        expect({ head_block_num, production_mode }).deep.equal({
          head_block_num: at_save.head_block_num,
          production_mode: 'manual',
        })
        await continues()
      })
    }
  })
})
