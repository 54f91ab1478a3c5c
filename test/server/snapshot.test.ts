/** Snapshots as operators meet them: command line, options, operations, the data folder. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { recordedSnapshot } from '../engine/snapshot/support/snapshot_files.ts'
import { nodeSettings } from '../../src/node/engine_settings.ts'
import { runSnapshotCommand } from '../../src/node/snapshot_command.ts'
import { OptionError, parseOptions } from '../../src/options/parse.ts'
import { ask } from '../support/http.ts'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'

interface Information {
  head_block_id: string
  head_block_num: number
  snapshot_name: string
}

async function producer<T>(node: NodeProcess, operation: string, body?: unknown): Promise<T> {
  const answer = await ask(node.url, `/v1/producer/${operation}`, { body })
  expect(answer.status, JSON.stringify(answer.body)).equal(201)
  return answer.body as T
}

describe('snapshots of a node', () => {
  const { path: folder, remove } = temporaryFolder()
  after(remove)
  const recorded = join(folder, 'recorded.bin')
  writeFileSync(recorded, recordedSnapshot(0x24))

  async function run(...argv: string[]): Promise<NodeProcess> {
    const node = new NodeProcess(argv)
    await node.ended
    return node
  }

  it('to-json prints what the reference prints, or writes it', async () => {
    const expected = recordedSnapshot(0x24, 'json').toString()
    const printed = await run('snapshot', 'to-json', recorded, '-')
    expect(printed.stdout === expected, printed.stderr).equal(true)
    await run('snapshot', 'to-json', recorded)
    expect(readFileSync(`${recorded}.json`, 'utf8') === expected).equal(true)
    const again = await run('snapshot', 'to-json', recorded)
    expect(again.stderr).match(/already exists/)
    expect(again.child.exitCode).equal(2)
  })

  it('to-json ends quietly when its reader stops reading', async () => {
    const node = new NodeProcess(['snapshot', 'to-json', recorded, '-'])
    node.child.stdout!.destroy()
    expect(await node.ended).deep.equal({ code: 0, signal: null })
    expect(node.stderr).equal('')
  })

  it('to-json says what is wrong with a file, and leaves none', async () => {
    const cut = join(folder, 'cut.bin')
    writeFileSync(cut, recordedSnapshot(0x24).subarray(0, 10_000))
    const node = await run('snapshot', 'to-json', cut)
    expect(node.child.exitCode).equal(2)
    expect(node.stderr).match(/^pronghorn: .*cut\.bin: .*\n$/)
    expect(existsSync(`${cut}.json`)).equal(false)
    for (const argv of [[], ['to-json'], ['from-json', cut], ['to-json', join(folder, 'none')]]) {
      expect(() => runSnapshotCommand(argv)).throw(OptionError, /^(usage|there is no file)/)
    }
  })

  it('pause, create_snapshot, stop: the file has the head, and another node starts from it', async function () {
    // Two nodes start, on a machine that may have much else to do.
    this.timeout(240_000)
    const paused = await NodeProcess.start(join(folder, 'paused'))
    await producer(paused, 'pause')
    const head = async () => {
      const { body } = await ask(paused.url, '/v1/chain/get_info')
      return body as { head_block_num: number; last_irreversible_block_num: number }
    }
    await until('the block in work is made', () =>
      paused.stderr.includes('not producing for eosio: production is paused'),
    )
    const { head_block_num, last_irreversible_block_num } = await head()
    expect(last_irreversible_block_num).lessThan(head_block_num)
    // It waits, and is answered by the request that takes the head as it is.
    const waiting = producer<Information>(paused, 'create_snapshot')
    await until('the log says why', () =>
      paused.stderr.includes(`the snapshot of block ${head_block_num} waits until`),
    )
    const made = await producer<Information>(paused, 'create_snapshot', { allow_reversible: true })
    expect(await waiting).deep.equal(made)
    expect(made.head_block_num).equal(head_block_num)
    const wrong = { body: { allow_reversible: 'yes' } }
    expect((await ask(paused.url, '/v1/producer/create_snapshot', wrong)).status).equal(400)
    await paused.stop()

    const next = await NodeProcess.start(join(folder, 'after-pause'), [
      '--snapshot',
      made.snapshot_name,
    ])
    const { body } = await ask(next.url, '/v1/chain/get_info')
    expect((body as { head_block_num: number }).head_block_num).least(head_block_num)
    await next.stop()
  })

  it('a schedule of each block does not fill the disk', async () => {
    const place = join(folder, 'retained')
    const node = await NodeProcess.start(place, ['--max-retained-snapshots', '2'])
    await producer(node, 'schedule_snapshot', { block_spacing: 1 })
    await until('four were made', () => {
      const removed = node.stderr.match(/removed the snapshot snapshot-[0-9a-f]{64}\.bin: 2 are/g)
      return (removed ?? []).length >= 2
    })
    await node.stop()
    const names = readdirSync(join(place, 'snapshots')).filter((name) => name.endsWith('.bin'))
    expect(names.length).within(2, 3)
  })

  it('a node makes them; another one starts from what it made', async () => {
    const first = await NodeProcess.start(join(folder, 'first'), ['--integrity-hash-on-stop'])
    const made = await producer<Information>(first, 'create_snapshot')
    expect(made.snapshot_name).equal(
      join(folder, `first/snapshots/snapshot-${made.head_block_id}.bin`),
    )
    await producer(first, 'schedule_snapshot', { start_block_num: 1_000_000 })
    const hash = await producer<{ integrity_hash: string }>(first, 'get_integrity_hash')
    expect(hash.integrity_hash).match(/^[0-9a-f]{64}$/)
    await first.stop()
    expect(first.stderr).match(/chain database stopped with hash: [0-9a-f]{64}/)

    const again = await NodeProcess.start(join(folder, 'first'))
    const requests = await producer<{ snapshot_requests: { start_block_num: number }[] }>(
      again,
      'get_snapshot_requests',
    )
    expect(requests.snapshot_requests.map((r) => r.start_block_num)).deep.equal([1_000_000])
    await again.stop()

    const options = ['--snapshot', made.snapshot_name, '--integrity-hash-on-start']
    const second = await NodeProcess.start(join(folder, 'second'), options)
    await second.logged(/chain database started with hash: [0-9a-f]{64}/)
    const { body } = await second.chain('get_block_info', { block_num: made.head_block_num + 1 })
    expect((body as { previous: string }).previous).equal(made.head_block_id)
    // The development finalizer goes on from the snapshot.
    await until('later blocks are final', async () => {
      const info = (await second.chain('get_info')).body as { last_irreversible_block_num: number }
      return info.last_irreversible_block_num > made.head_block_num
    })
    await second.stop()

    const refused = await run('--data-dir', join(folder, 'second'), ...options)
    expect(refused.stderr).match(/Snapshot can only be used to initialize an empty database/)
    expect(refused.child.exitCode).equal(1)
  })

  it('a request that waits for a block ends with the node', async () => {
    const data = join(folder, 'waiting')
    const node = await NodeProcess.start(data, ['--pause-on-startup'])
    const place = join(data, 'snapshots')
    await producer(node, 'resume')
    await until('there is a block', async () => (await node.head()) > 2)
    await producer(node, 'pause')
    const waiting = ask(node.url, '/v1/producer/create_snapshot')
    await until('it is written', () => existsSync(place) && readdirSync(place).length > 0)
    await node.stop()
    const { status, body } = await waiting
    const files = readdirSync(place)
    // Its block may be irreversible already: then it is announced.
    if (status === 201) expect(files).include(`snapshot-${(body as Information).head_block_id}.bin`)
    else expect(files, JSON.stringify(body)).deep.equal([])
  })

  it('options that contradict each other are refused', () => {
    const settings = (...argv: string[]) => {
      const values = parseOptions(['--data-dir', join(folder, 'options'), ...argv])
      return nodeSettings(values, '1.2.3', 0).engine
    }
    expect(settings('--snapshot', recorded).snapshot).equal(recorded)
    expect(settings().services.snapshots.folder).equal(join(folder, 'options/snapshots'))
    expect(settings('--snapshots-dir', 'kept').services.snapshots.folder).equal(
      join(folder, 'options/kept'),
    )
    expect(settings('--snapshots-dir', folder).services.snapshots.folder).equal(folder)
    const none = join(folder, 'none')
    expect(() => settings('--snapshot', recorded, '--genesis-timestamp', 'now')).throw(
      OptionError,
      /a snapshot has its own genesis/,
    )
    expect(() => settings('--snapshot', none)).throw(OptionError, /snapshot: there is no file/)
    expect(() => settings('--snapshots-dir', none)).throw(OptionError, /there is no file/)
  })
})
