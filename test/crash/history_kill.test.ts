/** A node that writes history is killed under load: then its logs have every block once, and continue. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { fromHex, toHex } from '../../src/engine/protocol/hex.ts'
import { LogCatalog } from '../../src/engine/services/state_history/log_catalog.ts'
import { indexEntries } from '../../src/engine/services/trace_api/slice_index.ts'
import { ask } from '../support/http.ts'
import { temporaryFolder, type NodeProcess } from '../support/node_process.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'
import { Victim, killAfter } from './victim.ts'

const HISTORY = [
  '--trace-history',
  '--chain-state-history',
  '--finality-data-history',
  '--state-history-endpoint=127.0.0.1:0',
]
const KILLS_MS = [700, 1300, 250]
const LOGS = ['trace_history', 'chain_state_history', 'finality_data_history']

interface Info {
  last_irreversible_block_num: number
}

describe('crash: a node with history is killed', function () {
  this.timeout(280_000)
  const root = temporaryFolder()
  const folder = join(root.path, 'node')
  after(() => root.remove())

  it('the logs have every irreversible block once, and continue', async () => {
    const victim = new Victim(folder)
    let node = await victim.start(HISTORY)
    await new WharfkitChain(node.url).createToken('1000000.0000', '1000000.0000')
    for (const milliseconds of KILLS_MS) {
      const load = transfers(node)
      await killAfter(node, milliseconds)
      await load
      node = await victim.start(HISTORY)
    }
    const { last_irreversible_block_num: last } = (await ask(node.url, '/v1/chain/get_info'))
      .body as Info
    const ids = new Map<number, string>()
    for (let block_num = 2; block_num <= last; block_num++) {
      const { body } = await ask(node.url, '/v1/chain/get_block_info', { body: { block_num } })
      ids.set(block_num, (body as { id: string }).id)
    }
    await node.kill()
    expectLogs(ids)
    expectTraces(ids)
  })

  function expectLogs(ids: ReadonlyMap<number, string>): void {
    for (const name of LOGS) {
      const log = new LogCatalog(join(folder, 'state-history'), name, { log: () => undefined })
      const { begin, end } = log.range
      // Savanna begins with block 3 of a development chain.
      expect(begin, name).equal(name === 'finality_data_history' ? 3 : 2)
      expect(end, name).greaterThan(Math.max(...ids.keys()))
      for (const [block_num, id] of ids) {
        if (block_num < begin) continue
        expect(toHex(log.blockId(block_num)!), `${name} ${block_num}`).equal(id)
        log.entry(block_num, fromHex(id))!.close()
      }
      log.close()
    }
  }

  function expectTraces(ids: ReadonlyMap<number, string>): void {
    const path = join(folder, 'traces/trace_index_0000000000-0000010000.log')
    const found = indexEntries(readFileSync(path), path).flatMap(({ entry }) =>
      entry.kind === 'block' ? [toHex(entry.id)] : [],
    )
    for (const [block_num, id] of ids) {
      expect(
        found.filter((other) => other === id),
        `${block_num}`,
      ).have.length(1)
    }
  }
})

/** Sends transactions until the node is gone. */
async function transfers(node: NodeProcess): Promise<void> {
  const chain = new WharfkitChain(node.url)
  for (let i = 0; !node.gone; i++) {
    try {
      const data = { from: 'alice', to: 'bob', quantity: '0.0001 SYS', memo: `kill ${i}` }
      await chain.act('eosio.token', 'transfer', 'alice', data)
    } catch (error) {
      if (!node.gone) await node.ended
      if (!(error instanceof Error)) throw error
    }
  }
}
