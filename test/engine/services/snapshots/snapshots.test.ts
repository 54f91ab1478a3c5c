import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SnapshotService } from '../../../../src/engine/services/snapshots/snapshot_service.ts'
import type { SnapshotInformation } from '../../../../src/engine/services/snapshots/snapshots.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { hashOf, refusalOf, withChain } from '../../snapshot/support/replayed_chain.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'

const root = temporaryFolder()
let places = 0

interface Scene {
  test: TestChain
  service: SnapshotService
  folder: string
  log: string[]
  /** How often a pending block was given up and begun again. */
  turns: string[]
  loop: { paused: boolean }
}

/** A chain of one legacy producer, whose blocks make the ones before them irreversible. */
async function scene(folder = join(root, `place${places++}`), max_retained = 0): Promise<Scene> {
  const test = await TestChain.open()
  const log: string[] = []
  const turns: string[] = []
  const { chain } = test
  const loop = {
    abort: () => {
      if (chain.pending) turns.push('abort')
      chain.abortBlock()
    },
    restart: () => {
      turns.push('restart')
      test.start()
    },
    paused: false,
  }
  const deps = {
    chain,
    loop,
    log: (level: string, text: string) => void log.push(`${level} ${text}`),
  }
  const service = new SnapshotService({ folder, max_retained }, deps)
  service.follow(chain.events)
  test.produce(5)
  return { test, service, folder, log, turns, loop }
}

/** Waits until a file of the folder is there. */
async function written(folder: string, prefix: string): Promise<void> {
  for (;;) {
    const names = existsSync(folder) ? readdirSync(folder) : []
    if (names.some((name) => name.startsWith(prefix))) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('snapshots while production is paused', () => {
  it('the log gives the reason of a wait, and the alternative request', async () => {
    const { test, service, log, loop } = await scene()
    loop.paused = true
    const waiting = service.createSnapshot()
    expect(log).deep.equal([
      'info the snapshot of block 6 waits until that block is irreversible; production is paused, so resume it, or request create_snapshot with "allow_reversible": true',
    ])
    test.produce(2)
    expect((await waiting).head_block_num).equal(6)
  })

  it('with allow_reversible nothing is waited for, and a node starts from the file', async () => {
    const { test, service, log, loop, folder } = await scene()
    loop.paused = true
    const { head } = test.chain
    expect(test.chain.last_irreversible.block_num).lessThan(head.block_num)
    const made = await service.createSnapshot({ allow_reversible: true })
    expect(made.snapshot_name).equal(join(folder, `snapshot-${head.key}.bin`))
    expect(log).deep.equal([])
    const name = `snapshot-${head.key}.bin`
    expect(readdirSync(folder)).deep.equal([`.${name}.sha256`, name])
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
    expect(readFileSync(join(folder, `.${name}.sha256`), 'utf8')).equal(`${digest}  ${name}\n`)
    await withChain({ snapshot: made.snapshot_name }, (chain) =>
      expect(chain.head.key).equal(head.key),
    )
  })

  it('one that waits already is answered too when the same block is asked for as it is', async () => {
    const { service, folder } = await scene()
    const waiting = service.createSnapshot()
    await written(folder, '.pending-')
    const made = await service.createSnapshot({ allow_reversible: true })
    expect(await waiting).deep.equal(made)
    const again = Promise.resolve().then(() => service.createSnapshot())
    expect((await refusalOf(again)).errorName).equal('snapshot_exists_exception')
  })
})

describe('snapshots of a schedule with a spacing', () => {
  const snapshotsIn = (folder: string) =>
    readdirSync(folder).filter((name) => name.startsWith('snapshot-') && name.endsWith('.bin'))

  /** Produces until so many snapshots have been announced. */
  async function announced({ test, log }: Scene, count: number): Promise<string[]> {
    const lines = () => log.filter((line) => line.startsWith('info snapshot of block'))
    while (lines().length < count) {
      test.produce(1)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return lines().map((line) => line.replace(/^.*\/(snapshot-.*)$/, '$1'))
  }

  it('the newest are retained, and those that others made stay', async () => {
    const here = await scene(undefined, 3)
    const { test, service, folder, log } = here
    const own = service.createSnapshot()
    test.produce(2)
    const by_hand = (await own).snapshot_name.replace(/^.*\//, '')
    service.scheduleSnapshot({ block_spacing: 1 })
    const names = await announced(here, 7)
    await service.endWaits()
    const removed = log.filter((line) => /^info removed the snapshot .* 3 are retained$/.test(line))
    expect(removed.length).greaterThan(3)
    const left = snapshotsIn(folder)
    expect(left).include(by_hand)
    expect(left.length).equal(4)
    expect(left).not.include(names[0])
  })

  it('they are known after a restart, and a request that is over leaves its snapshots', async () => {
    const here = await scene(undefined, 2)
    const { service, folder } = here
    const { snapshot_request_id } = service.scheduleSnapshot({ block_spacing: 1 })
    await announced(here, 3)
    await service.endWaits()
    const kept = JSON.parse(readFileSync(join(folder, 'snapshot-schedule.json'), 'utf8')) as {
      snapshot_requests: { made_snapshots: string[] }[]
    }
    const [row] = kept.snapshot_requests
    expect(row!.made_snapshots.length).equal(2)
    expect(snapshotsIn(folder)).include.members(row!.made_snapshots)

    const again = await scene(folder, 2)
    const before = snapshotsIn(folder)
    expect(before.sort()).deep.equal([...row!.made_snapshots].sort())
    again.service.unscheduleSnapshot(snapshot_request_id)
    again.test.produce(5)
    expect(snapshotsIn(folder)).include.members(before)
    await again.service.endWaits()
  })

  it('0 retains all', async () => {
    const here = await scene(undefined, 0)
    here.service.scheduleSnapshot({ block_spacing: 1 })
    const names = await announced(here, 5)
    await here.service.endWaits()
    expect(snapshotsIn(here.folder)).include.members(names)
  })
})

describe('snapshots while blocks are made', () => {
  it('one is announced when its block is irreversible', async () => {
    const { test, service, folder } = await scene()
    const { head } = test.chain
    let answer: SnapshotInformation | undefined
    const waiting = service.createSnapshot().then((information) => (answer = information))
    await written(folder, '.pending-')
    expect(answer).equal(undefined)
    test.produce(2)
    await waiting
    expect(answer).deep.equal({
      head_block_id: head.key,
      head_block_num: 6,
      head_block_time: '2018-06-01T12:00:02.500',
      version: 8,
      snapshot_name: join(folder, `snapshot-${head.key}.bin`),
    })
    const name = `snapshot-${head.key}.bin`
    expect(readdirSync(folder)).deep.equal([`.${name}.sha256`, name])
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
    expect(readFileSync(join(folder, `.${name}.sha256`), 'utf8')).equal(`${digest}  ${name}\n`)
    await withChain({ snapshot: answer!.snapshot_name }, (chain) =>
      expect(chain.head.key).equal(head.key),
    )
  })

  it('it has the state of its block, whatever blocks do while it is written', async () => {
    const { test, service } = await scene()
    const hash = await hashOf(test.chain)
    const waiting = service.createSnapshot()
    for (const name of ['alice', 'bob', 'carol']) {
      test.createAccount(name)
      test.finish()
    }
    const { snapshot_name } = await waiting
    await withChain({ snapshot: snapshot_name }, async (chain) =>
      expect(await hashOf(chain)).equal(hash),
    )
  })

  it('one that is written after its block became irreversible is announced at once', async () => {
    const { test, service } = await scene()
    const waiting = service.createSnapshot()
    test.produce(5)
    expect((await waiting).head_block_num).equal(6)
  })

  it('concurrent requests for the same block get the same answer, later ones an error', async () => {
    const { test, service, folder } = await scene()
    const first = service.createSnapshot()
    const second = service.createSnapshot()
    await written(folder, '.pending-')
    const third = service.createSnapshot()
    test.produce(2)
    expect(await second).deep.equal(await first)
    expect(await third).deep.equal(await first)
    const again = await scene(folder)
    const { errorName, code } = await refusalOf((async () => again.service.createSnapshot())())
    expect([errorName, code]).deep.equal(['snapshot_exists_exception', 3170008])
  })

  it('a pending block is discarded and restarted', async () => {
    const { test, service, turns } = await scene()
    test.createAccount('alice')
    await service.getIntegrityHash()
    expect(turns).deep.equal(['abort', 'restart'])
    expect(test.chain.pending?.block_num).equal(7)
  })

  it('one of a block that leaves the chain is taken back', async () => {
    const { test, service, folder } = await scene()
    const other = await TestChain.open()
    for (let n = 2; n <= 6; n++) other.chain.pushBlock(test.chain.packedBlockByNumber(n)!)
    test.produce()
    const waiting = service.createSnapshot()
    await written(folder, '.pending-')
    // A longer branch without block 7.
    other.produce(3, 1)
    for (let n = 7; n <= 9; n++) test.chain.pushBlock(other.chain.packedBlockByNumber(n)!)
    const refusal = await refusalOf(waiting)
    expect(refusal.errorName).equal('snapshot_finalization_exception')
    expect(refusal.message).match(/was forked out of the chain/)
    expect(readdirSync(folder)).deep.equal([])
  })

  it('one that cannot be written leaves nothing', async () => {
    const folder = join(root, 'blocked')
    writeFileSync(folder, 'no folder')
    const { test, service } = await scene(join(folder, 'snapshots'))
    const refusal = await refusalOf(service.createSnapshot())
    expect(refusal.errorName).equal('snapshot_execution_exception')
    // The chain goes on, and so do later snapshots.
    test.produce(2)
    expect((await refusalOf(service.createSnapshot())).errorName).equal(
      'snapshot_execution_exception',
    )
  })

  it('a node that stops gives them up', async () => {
    const { service, folder } = await scene()
    const waiting = refusalOf(service.createSnapshot())
    await written(folder, '.pending-')
    await service.endWaits()
    expect((await waiting).message).match(/the node stops/)
    expect(readdirSync(folder)).deep.equal([])
    const writing = await scene()
    const early = refusalOf(writing.service.createSnapshot())
    await writing.service.endWaits()
    expect((await early).message).match(/the node stops/)
    expect(existsSync(writing.folder) ? readdirSync(writing.folder) : []).deep.equal([])
    const late = refusalOf((async () => writing.service.createSnapshot())())
    expect((await late).message).match(/the node stops/)
  })

  it('the integrity hash is that of the head', async () => {
    const { test, service } = await scene()
    expect(await service.getIntegrityHash()).deep.equal({
      head_block_id: test.chain.head.key,
      integrity_hash: await hashOf(test.chain),
    })
  })
})

describe('schedules of snapshots', () => {
  it('make snapshots at heights, and end', async () => {
    const { test, service, folder, log } = await scene()
    service.scheduleSnapshot({ block_spacing: 2, start_block_num: 8, end_block_num: 12 })
    service.scheduleSnapshot({ start_block_num: 9, snapshot_description: 'one' })
    service.scheduleSnapshot({ start_block_num: 3 })
    service.scheduleSnapshot({})
    const pending = () =>
      service
        .getSnapshotRequests()
        .snapshot_requests.map((request) => [
          request.snapshot_request_id,
          request.pending_snapshots.map((p) => p.head_block_num),
        ])
    expect(service.getSnapshotRequests().snapshot_requests.at(-1)).deep.equal({
      snapshot_request_id: 3,
      block_spacing: 0,
      start_block_num: 7,
      end_block_num: 4294967295,
      snapshot_description: '',
      pending_snapshots: [],
    })
    for (let n = 7; n <= 14; n++) {
      test.produce()
      if (n === 8) {
        await written(folder, `.pending-snapshot-${test.chain.head.key}`)
        await new Promise((resolve) => setImmediate(resolve))
        expect(pending()).deep.equal([
          [0, [8]],
          [1, []],
        ])
      }
    }
    while (log.length < 5) await new Promise((resolve) => setImmediate(resolve))
    expect(log.map((line) => /block (\d+)/.exec(line)?.[1])).deep.equal(['7', '8', '9', '10', '12'])
    const numbers = readdirSync(folder)
      .filter((name) => /^snapshot-0.*\.bin$/.test(name))
      .map((name) => parseInt(name.slice(9, 17), 16))
    expect(numbers.sort((a, b) => a - b)).deep.equal([7, 8, 9, 10, 12])
    expect(pending()).deep.equal([])
  })

  it('are refused as the reference refuses them', async () => {
    const { service } = await scene()
    const far = { block_spacing: 100, start_block_num: 100000, end_block_num: 200000 }
    service.scheduleSnapshot(far)
    const refused = async (work: () => unknown): Promise<[string, string]> => {
      const { errorName, message } = await refusalOf((async () => work())())
      return [errorName, message]
    }
    expect(await refused(() => service.scheduleSnapshot(far))).deep.equal([
      'duplicate_snapshot_request',
      'Duplicate snapshot request',
    ])
    expect(
      await refused(() => service.scheduleSnapshot({ start_block_num: 200, end_block_num: 100 })),
    ).deep.equal([
      'invalid_snapshot_request',
      'End block number should be greater or equal to start block number',
    ])
    const wide = { block_spacing: 10, start_block_num: 100000, end_block_num: 100005 }
    expect(await refused(() => service.scheduleSnapshot(wide))).deep.equal([
      'invalid_snapshot_request',
      'Block spacing exceeds defined by start and end range',
    ])
    expect(await refused(() => service.unscheduleSnapshot(77))).deep.equal([
      'snapshot_request_not_found',
      'Snapshot request not found',
    ])
  })

  it('outlive the node', async () => {
    const { service, folder } = await scene()
    service.scheduleSnapshot({ start_block_num: 100 })
    service.scheduleSnapshot({ start_block_num: 200, snapshot_description: 'later "one"' })
    service.unscheduleSnapshot(0)
    const again = (await scene(folder)).service
    expect(again.getSnapshotRequests()).deep.equal(service.getSnapshotRequests())
    expect(again.scheduleSnapshot({ start_block_num: 300 }).snapshot_request_id).equal(2)
  })

  it('are read as the reference writes them', async () => {
    const folder = join(root, 'theirs')
    mkdirSync(folder)
    const row = {
      snapshot_request_id: '4',
      snapshot_description: 'x',
      block_spacing: '10',
      start_block_num: '20',
      end_block_num: '0',
    }
    const path = join(folder, 'snapshot-schedule.json')
    writeFileSync(path, JSON.stringify({ snapshot_requests: [row] }))
    const { service } = await scene(folder)
    expect(service.getSnapshotRequests().snapshot_requests).deep.equal([
      {
        snapshot_request_id: 4,
        block_spacing: 10,
        start_block_num: 20,
        end_block_num: 4294967295,
        snapshot_description: 'x',
        pending_snapshots: [],
      },
    ])
    for (const text of [
      '',
      '[]',
      '{"snapshot_requests":[{}]}',
      '{"snapshot_requests":[7]}',
      'null',
    ]) {
      writeFileSync(path, text)
      const refusal = await refusalOf(scene(folder))
      expect(refusal.message, text).match(/is not a schedule of snapshots/)
      expect(readFileSync(path, 'utf8')).equal(text)
    }
  })
})
