/** Snapshots and their schedule when an operation on their files goes wrong. */
import { expect } from 'chai'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ChainError } from '../../src/engine/errors.ts'
import { SnapshotSchedule } from '../../src/engine/services/snapshots/snapshot_schedule.ts'
import { SnapshotService } from '../../src/engine/services/snapshots/snapshot_service.ts'
import { checkChecksum, hiddenChecksumPath } from '../../src/engine/snapshot/file_checksum.ts'
import { SnapshotReader } from '../../src/engine/snapshot/snapshot_reader.ts'
import { TestChain } from '../engine/chain/support/test_chain.ts'
import { temporaryFolder } from '../support/node_process.ts'
import { ENDS, FAILURES, type Mishap } from './commit_faults.ts'
import { FaultyFiles } from './faulty_files.ts'
import { loudEvents } from '../engine/chain/support/loud_events.ts'

const root = temporaryFolder()
let folders = 0

function newFolder(): string {
  const folder = join(root.path, `${folders++}`)
  mkdirSync(folder)
  return folder
}

describe('crash: a snapshot cannot be written', () => {
  let test: TestChain
  /** Events of the chain for the service that was made last. */
  let events = loudEvents()
  before(async () => {
    test = await TestChain.open()
    test.chain.events.on('blockIrreversible', (block) => events.emit('blockIrreversible', block))
    test.produce(5)
  })
  after(async () => {
    await test.chain.close()
    root.remove()
  })

  /** The service that a node would have on this folder. */
  function service(folder: string, log: string[] = []): SnapshotService {
    const { chain } = test
    const loop = { abort: () => void chain.abortBlock(), restart: () => {}, paused: false }
    const made = new SnapshotService(
      { folder, max_retained: 0 },
      { chain, loop, log: (level, text) => void log.push(`${level} ${text}`) },
    )
    events = loudEvents()
    made.follow(events)
    return made
  }

  /** Makes a snapshot, and blocks until it is announced or given up; answers its name. */
  async function make(folder: string, log: string[]): Promise<string> {
    const snapshots = service(folder, log)
    let over = false
    const made = snapshots.createSnapshot().finally(() => (over = true))
    made.catch(() => {})
    while (!over) {
      test.produce()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return (await made).snapshot_name
  }

  interface Result {
    files: FaultyFiles
    log: string[]
    name?: string
    error?: unknown
  }

  async function makeWith(folder: string, plan?: Mishap & { at: number }): Promise<Result> {
    const log: string[] = []
    const files = FaultyFiles.install(folder, plan)
    try {
      return { files, log, name: await make(folder, log) }
    } catch (error) {
      return { files, log, error }
    } finally {
      await files.remove()
    }
  }

  /** Every operation but most of the many writes, which are alike. */
  async function places(): Promise<number[]> {
    const { operations } = (await makeWith(newFolder())).files
    expect(operations.join(' ')).match(
      /create \.incomplete.* write .* fsync .* rename .* rename .* open \. fsync \./,
    )
    const writes = operations.flatMap((what, i) => (what.startsWith('write') ? [i + 1] : []))
    const alike = new Set(writes.slice(2, -2))
    return operations.flatMap((_, i) => (alike.has(i + 1) ? [] : [i + 1]))
  }

  const unfinished = (folder: string) =>
    readdirSync(folder).filter((name) => /^\.(incomplete|pending)-/.test(name))

  it('it is refused with the reason, and no part of it stays', async () => {
    for (const at of await places()) {
      for (const mishap of FAILURES) {
        const folder = newFolder()
        const { files, error, log } = await makeWith(folder, { at, ...mishap })
        const about = `${JSON.stringify(mishap)} at ${files.where}`
        expect(error, about).instanceOf(ChainError)
        const { message } = error as ChainError
        expect(message, about).match(
          /(cannot be written|Unable to finalize .*): E(IO|NOSPC|ACCES): /,
        )
        if (log.length > 0) {
          // Nothing works any more, so it cannot be removed either; the next start does.
          expect(log.join(), about).match(/^warn cannot remove an unfinished snapshot: EIO/)
          service(folder)
        }
        expect(unfinished(folder), about).deep.equal([])
        if (log.length === 0) expect(readdirSync(folder), about).deep.equal([])
      }
    }
  })

  it('what a process leaves behind is removed by the next; what has its last name is whole', async () => {
    for (const at of await places()) {
      for (const mishap of ENDS) {
        const folder = newFolder()
        const { files, name } = await makeWith(folder, { at, ...mishap })
        expect(name).equal(undefined)
        const { power_cut } = mishap
        if (power_cut) files.cutPower(power_cut.names, power_cut.tail)
        service(folder)
        expect(unfinished(folder)).deep.equal([])
        for (const last of readdirSync(folder).filter((name) => name.endsWith('.bin'))) {
          const path = join(folder, last)
          expect(existsSync(hiddenChecksumPath(path))).equal(true)
          checkChecksum(path)
          new SnapshotReader(path).close()
        }
      }
    }
  })

  it('a request for snapshots is kept, or refused', async () => {
    const starts = (schedule: SnapshotSchedule) => schedule.all.map((r) => r.start_block_num)
    for (const mishap of [...FAILURES, ...ENDS]) {
      for (let at = 1; at <= 6; at++) {
        const folder = newFolder()
        const path = join(folder, 'snapshot-schedule.json')
        const schedule = new SnapshotSchedule(path)
        schedule.add({ start_block_num: 1000 }, 1)
        const files = FaultyFiles.install(folder, { at, ...mishap })
        const about = `${JSON.stringify(mishap)} at ${at}`
        expect(() => schedule.add({ start_block_num: 2000 }, 1), about).throw(
          /the process (ends|has ended)|^cannot write the schedule of snapshots .*snapshot-schedule.json: E/,
        )
        await files.remove()
        expect(files.happened, about).equal(true)
        expect(starts(schedule), about).deep.equal([1000])
        const { power_cut } = mishap
        if (power_cut) files.cutPower(power_cut.names, power_cut.tail)
        const after = starts(new SnapshotSchedule(path))
        // Only where the name is there and its sync failed it is not known which file lasts.
        const either = /^(open|fsync) \.|rename/.test(files.where!)
        expect(after, about).deep.equal(after.length > 1 && either ? [1000, 2000] : [1000])
        schedule.add({ start_block_num: 3000 }, 1)
        expect(starts(new SnapshotSchedule(path))).deep.equal([1000, 3000])
        expect(readdirSync(folder)).deep.equal(['snapshot-schedule.json'])
      }
    }
  })
})
