import { join } from 'node:path'
import { expect } from 'chai'
import { TestNode } from '../../../support/test_node.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { folderBytes } from '../support/folder_bytes.ts'

const filesOf = async (node: TestNode): Promise<{ name: string }[]> => {
  const { body } = await node.ask('/v1/db_size/get')
  return (body as { files: { name: string }[] }).files
}

const HISTORY = [
  '--trace-history',
  '--chain-state-history',
  '--finality-data-history',
  '--state-history-endpoint=127.0.0.1:0',
  '--state-history-stride=4',
]

describe('db_size: files', () => {
  let running: TestNode | undefined
  const start = async (folder: string | undefined, ...argv: string[]): Promise<TestNode> => {
    await running?.stop()
    return (running = await TestNode.start(folder === undefined ? { argv } : { folder, argv }))
  }
  after(() => running?.stop())

  it('has the blocks, the state, the history logs with their retained files, and the traces', async () => {
    const folder = temporaryFolder()
    const node = await start(folder, ...HISTORY)
    await node.ask('/v1/dev/mine_blocks', { body: { blocks: 9 } })
    const names_of_files = (await filesOf(node)).map(({ name }) => name)
    // Nothing is written between these, as nothing waits.
    const files = node.engine.api.node.getDatabaseSize().files
    const last_block_num = node.head_block_num
    const names = ['trace_history', 'chain_state_history', 'finality_data_history']
    expect(names_of_files).deep.equal(['blocks', 'state', ...names, 'trace_api'])
    const of = (wanted: string) => files.find(({ name }) => name === wanted)!
    const blocks = {
      first_block_num: 1,
      last_block_num,
      bytes: folderBytes(join(folder, 'blocks')),
    }
    expect(of('blocks')).deep.equal({ name: 'blocks', ...blocks })
    expect(of('state').bytes).greaterThan(100)
    for (const name of names) {
      const log = of(name)
      const history = join(folder, 'state-history')
      const bytes = folderBytes(history, name) + folderBytes(join(history, 'retained'), name)
      expect(log.bytes, name).equal(bytes)
      const first_block_num = name === 'finality_data_history' ? 3 : 2
      expect(log, name).include({ first_block_num, last_block_num })
    }
    expect(of('trace_api').bytes).equal(folderBytes(join(folder, 'traces')))
  })

  it('has no histories that are off, and nothing of a chain in memory', async () => {
    const folder = temporaryFolder()
    const node = await start(folder, '--plugin=eosio::db_size_api_plugin')
    expect((await filesOf(node)).map(({ name }) => name)).deep.equal(['blocks', 'state'])
    expect(await filesOf(await start(undefined))).deep.equal([])
  })
})
