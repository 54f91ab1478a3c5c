import { expect } from 'chai'
import { MemoryStore } from '../../../src/engine/store/memory_store.ts'
import type { RowSink, Store } from '../../../src/engine/store/store.ts'
import { replayProgress, reportLoading } from '../../../src/engine/producer/progress.ts'
import { FakeClock } from './support/fake_clock.ts'

const SECOND_US = 1_000_000

describe('progress', () => {
  let clock: FakeClock
  let lines: string[]
  const log = (level: string, message: string) => void lines.push(`${level} ${message}`)
  beforeEach(() => {
    clock = new FakeClock(1000 * SECOND_US)
    lines = []
  })

  it('of a replay is told now and then, with rate and time left, and at the end', () => {
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

  it('of loading a state is told, and the store stays what it was', async () => {
    const head = { block_num: 7, block_id: new Uint8Array(32), head: new Uint8Array() }
    const memory = new MemoryStore()
    const store: Store = {
      ...bound(memory),
      head,
      load: (sink: RowSink) => {
        for (let i = 0; i < 20_000; i++) {
          if (i % 1000 === 0) clock.time_us += SECOND_US
          sink.putRow(1, new Uint8Array(), new Uint8Array())
        }
        return Promise.resolve(20_000)
      },
    }
    let rows = 0
    const sink: RowSink = { putRow: () => rows++, removeRow: () => {}, loadNextId: () => {} }
    const reported = reportLoading(store, clock, log)
    expect(await reported.load(sink)).equal(20_000)
    expect(reported.head).equal(head)
    expect(rows).equal(20_000)
    expect(lines.slice(0, -1)).not.deep.equal([])
    for (const line of lines.slice(0, -1)) {
      expect(line).match(/^info loading the state: \d+ rows, \d{3} a second$/)
    }
    expect(lines.at(-1)).equal('info loaded the state of block 7: 20000 rows in 20.0 s')
    await reported.fill(head, [])
    expect(lines.at(-1)).equal('info stored the state of block 7 in 0.0 s')
  })
})

function bound(store: Store): Store {
  return {
    head: store.head,
    commit: (commit) => store.commit(commit),
    fill: (head, sets) => store.fill(head, sets),
    load: (sink) => store.load(sink),
    clear: () => store.clear(),
    close: () => store.close(),
  }
}
