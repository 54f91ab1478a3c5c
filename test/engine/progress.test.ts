import { expect } from 'chai'
import { ChainError } from '../../src/engine/errors.ts'
import { MemoryStore } from '../../src/engine/store/memory_store.ts'
import type { RowSink, Store } from '../../src/engine/store/store.ts'
import { replayProgress, reportLoading, shareProgress } from '../../src/engine/progress.ts'
import { FakeClock } from './services/support/fake_clock.ts'

const SECOND_US = 1_000_000
const HEAD = { block_num: 7, block_id: new Uint8Array(32), head: new Uint8Array() }

describe('progress', () => {
  let clock: FakeClock
  let lines: string[]
  const log = (level: string, message: string) => void lines.push(`${level} ${message}`)
  beforeEach(() => {
    clock = new FakeClock(1000 * SECOND_US)
    lines = []
  })

  it('of a replay is logged from time to time, with rate and remaining time, and at the end', () => {
    const heard = replayProgress(clock, log)
    for (let block_num = 101; block_num <= 1100; block_num++) {
      clock.time_us += SECOND_US / 50
      heard({ block_num, last: 1100, transactions: (block_num - 100) * 3 })
    }
    expect(lines).deep.equal([
      'info replayed block 350 of 1100 (31.8 %), 50 blocks and 150 transactions a second, 15 s left',
      'info replayed block 600 of 1100 (54.5 %), 50 blocks and 150 transactions a second, 10 s left',
      'info replayed block 850 of 1100 (77.3 %), 50 blocks and 150 transactions a second, 5 s left',
      'info replayed 1000 blocks up to 1100 in 20.0 s',
    ])
  })

  it('of a long replay is estimated in minutes and hours', () => {
    const heard = replayProgress(clock, log)
    heard({ block_num: 1, last: 100_000, transactions: 0 })
    for (const [block_num, last] of [
      [101, 100_000],
      [201, 1_000_000],
    ] as const) {
      clock.time_us += 5 * SECOND_US
      heard({ block_num, last, transactions: 0 })
    }
    expect(lines[0]).match(/ 20 blocks and 0 transactions a second, 83 min left$/)
    expect(lines[1]).match(/ 20 blocks and 0 transactions a second, 13 h 54 min left$/)
  })

  it('of a task with a known end is logged with its share and the remaining time', () => {
    const heard = shareProgress(clock, log, 'loading the snapshot')
    for (let i = 1; i <= 1000; i++) {
      clock.time_us += SECOND_US / 50
      heard(i / 1000)
    }
    expect(lines.slice(0, 2)).deep.equal([
      'info loading the snapshot: 25.6 % in 6 s, 15 s left',
      'info loading the snapshot: 51.2 % in 11 s, 10 s left',
    ])
    expect(lines).length(3)
  })

  /** A store with 20,000 rows, which take 20 seconds. */
  function slowStore(): Store {
    return {
      ...bound(new MemoryStore()),
      head: HEAD,
      load: (sink, heard) => {
        for (let i = 0; i < 20_000; i++) {
          if (i % 1000 === 0) clock.time_us += SECOND_US
          heard?.(i / 20_000)
          sink.putRow(1, new Uint8Array(), new Uint8Array())
        }
        return Promise.resolve(20_000)
      },
    }
  }

  it('of loading a state is logged, and the store does not change', async () => {
    let rows = 0
    const sink: RowSink = { putRow: () => rows++, removeRow: () => {}, loadNextId: () => {} }
    const reported = reportLoading(slowStore(), clock, log)
    expect(await reported.load(sink)).equal(20_000)
    expect(reported.head).equal(HEAD)
    expect(rows).equal(20_000)
    expect(lines[0]).match(/^info loading the state of block 7: 2\d\.\d % in \d s, \d\d s left$/)
    expect(lines.at(-1)).equal(
      'info loaded the state of block 7: 20000 rows in 20.0 s, 1000 a second',
    )
    await reported.fill(HEAD, [])
    expect(lines.at(-1)).equal('info stored the state of block 7 in 0.0 s')
  })

  it('of loading a state ends when the node shall stop', async () => {
    const sink: RowSink = { putRow: () => {}, removeRow: () => {}, loadNextId: () => {} }
    const reported = reportLoading(slowStore(), clock, log, () => lines.length > 0)
    const error: unknown = await Promise.resolve()
      .then(() => reported.load(sink))
      .catch((thrown: unknown) => thrown)
    expect(error).instanceOf(ChainError).property('errorName', 'interrupt_exception')
    expect(lines).length(1)
  })
})

describe('progress of storing a state', () => {
  const clock = new FakeClock(1000 * SECOND_US)

  /** Sets of 50,000 rows, each of which takes two seconds to make. */
  function* sets(count: number) {
    for (let i = 0; i < count; i++) {
      clock.time_us += 2 * SECOND_US
      yield { count: 50_000, bytes: new Uint8Array(), next_ids: [] }
    }
  }

  it('is logged from time to time, and ends when the node shall stop', async () => {
    const lines: string[] = []
    const log = (level: string, message: string) => void lines.push(`${level} ${message}`)
    await reportLoading(new MemoryStore(), clock, log).fill(HEAD, sets(8))
    expect(lines).deep.equal([
      'info storing the state of block 7: 150000 rows in 6 s',
      'info storing the state of block 7: 300000 rows in 12 s',
      'info stored the state of block 7 in 16.0 s',
    ])
    const stopping = reportLoading(new MemoryStore(), clock, log, () => lines.length > 3)
    const error: unknown = await stopping.fill(HEAD, sets(8)).catch((thrown: unknown) => thrown)
    expect(error).instanceOf(ChainError).property('errorName', 'interrupt_exception')
    expect(lines).length(4)
  })
})

function bound(store: Store): Store {
  return {
    head: store.head,
    commit: (commit) => store.commit(commit),
    fill: (head, sets) => store.fill(head, sets),
    load: (sink, heard) => store.load(sink, heard),
    clear: () => store.clear(),
    close: () => store.close(),
  }
}
