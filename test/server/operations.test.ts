import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metricsText } from '../../src/engine/services/metrics/metrics_text.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { PACKAGE, TestNode } from '../support/test_node.ts'

/** Lines `name{labels} value` as a map. */
function samples(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => line.split(' ') as [string, string]))
}

describe('operations of the node itself', () => {
  let node: TestNode
  const folder = temporaryFolder()
  before(async () => {
    // Services that are off have no metrics.
    const history = ['--trace-history', '--state-history-endpoint=127.0.0.1:0']
    node = await TestNode.start({ folder: folder.path, argv: history })
    await node.nextBlock()
  })
  after(async () => {
    const { faults } = node
    await node.stop()
    folder.remove()
    expect(faults).deep.equal([])
  })

  it('answers metrics under the names of the reference', async () => {
    await node.chain('get_info')
    await node.chain('get_info')
    const answer = await node.ask('/v1/prometheus/metrics', { method: 'GET' })
    expect(answer.status).equal(200)
    expect(answer.headers['content-type']).match(/^text\/plain/)
    const metrics = samples(answer.text)
    const number = (name: string) => Number(metrics.get(name))
    expect(number('nodeos_head_block_num')).greaterThan(1)
    expect(number('nodeos_blocks_produced')).greaterThan(0)
    expect(number('nodeos_last_irreversible')).gte(1)
    expect(number('nodeos_http_requests_total{handler="/v1/chain/get_info"}')).equal(2)
    expect(number('nodeos_total_time_us_produced_block')).greaterThan(0)
    expect(number('exposer_scrapes_total')).equal(0)
    const info = [...metrics.keys()].find((name) => name.startsWith('nodeos_info{'))
    expect(info).include(`chain_id="${node.engine.api.chain.getInfo().chain_id}"`)
    const again = samples((await node.ask('/v1/prometheus/metrics')).text)
    expect(again.get('exposer_scrapes_total')).equal('1')
    expect(again.get('exposer_transferred_bytes_total')).equal(String(answer.text.length))
  })

  it('describes each metric once, before its samples', async () => {
    const { text } = await node.ask('/v1/prometheus/metrics')
    const described = [...text.matchAll(/^# TYPE (\S+) (counter|gauge)$/gm)].map((m) => m[1])
    expect(new Set(described).size).equal(described.length)
    for (const name of samples(text).keys()) {
      expect(described).include(name.replace(/\{.*/, ''))
    }
    expect(text).match(/^(# HELP \S+ .+\n# TYPE \S+ \S+\n(\S+ \S+\n)*)+$/)
  })

  it('are those that the documentation lists', async () => {
    const { text } = await node.ask('/v1/prometheus/metrics')
    const served = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    const page = readFileSync(join(PACKAGE, 'docs/operations.md'), 'utf8')
    const rows = page.split('\n').filter((line) => /^\| `(nodeos|pronghorn|exposer)_/.test(line))
    const listed = rows.flatMap((row) => row.split('|')[1]!.match(/\w+_\w+/g) ?? [])
    expect(listed.sort()).deep.equal(served.sort())
  })

  it('escapes what labels may not hold', () => {
    const samples = [{ labels: { path: 'a"b\\c\nd' }, value: 1 }]
    expect(metricsText([{ name: 'm', help: 'h\nh', type: 'gauge', samples }])).equal(
      '# HELP m h\\nh\n# TYPE m gauge\nm{path="a\\"b\\\\c\\nd"} 1\n',
    )
  })

  it('has no other metrics', async () => {
    expect((await node.ask('/v1/prometheus/m')).status).equal(404)
  })

  it('answers the size of the state', async () => {
    for (const options of [{ method: 'GET' }, {}, { body: {} }]) {
      const { status, body } = await node.ask('/v1/db_size/get', options)
      expect(status).equal(200)
      const size = body as { used_bytes: number; indices: { index: string; row_count: number }[] }
      expect(size.used_bytes).greaterThan(0)
      const rows = new Map(size.indices.map(({ index, row_count }) => [index, row_count]))
      expect(rows.get('eosio::chain::account_object')).gte(3)
      // The reference's names, in its order: by count, then by name.
      const names = [...rows.keys()]
      expect(names).length(25).and.include('eosio::chain::account_ram_correction_object')
      expect(names).include('eosio::chain::resource_limits::resource_usage_object')
      for (const name of names) expect(name).match(/^eosio::chain::(resource_limits::)?\w+_object$/)
      const sorted = size.indices
        .slice()
        .sort((a, b) => a.row_count - b.row_count || (a.index < b.index ? -1 : 1))
      expect(size.indices).deep.equal(sorted)
    }
    const { status, body } = await node.ask('/v1/db_size/get', { body: { invalid: 1 } })
    expect(status).equal(400)
    expect((body as { error: { code: number } }).error.code).equal(3200006)
  })

  it('reports a healthy node, whether it produces or is paused', async () => {
    const health = async () => {
      const { status, body } = await node.ask('/v1/node/get_health')
      return { status, ...(body as { production: string; head_block_num: number }) }
    }
    expect(await health()).deep.include({ status: 'ok', production: 'running' })
    await node.producer('pause')
    expect(await health()).deep.include({ status: 'ok', production: 'paused' })
    await node.producer('resume')
    expect(await health()).deep.include({ status: 'ok', production: 'running' })
  })
})
