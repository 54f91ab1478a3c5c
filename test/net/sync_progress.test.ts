import { expect } from 'chai'
import { SyncProgress } from '../../src/net/sync_progress.ts'

const SECOND_US = 1_000_000

describe('the progress of a synchronization', () => {
  let lines: string[]
  let progress: SyncProgress

  beforeEach(() => {
    lines = []
    progress = new SyncProgress((level, text, fields) => {
      lines.push(`${level} ${text} ${JSON.stringify(fields)}`)
    })
  })

  it('is logged every five seconds, with the rate since the beginning and the time that is left', () => {
    progress.begin(100, 10 * SECOND_US)
    progress.applied(599, 2100, 15 * SECOND_US - 1)
    expect(lines).deep.equal([])
    progress.applied(600, 2100, 15 * SECOND_US)
    progress.applied(700, 2100, 20 * SECOND_US - 1)
    progress.applied(725, 2100, 20 * SECOND_US)
    expect(lines).deep.equal([
      'info synchronization: block 600 of 2100, 100.0 blocks in a second, about 15 s left ' +
        '{"block_num":600,"target":2100}',
      'info synchronization: block 725 of 2100, 62.5 blocks in a second, about 22 s left ' +
        '{"block_num":725,"target":2100}',
    ])
  })

  it('is not logged of the last block, nor before there is any', () => {
    progress.begin(100, 0)
    progress.applied(200, 200, 5 * SECOND_US)
    progress.applied(100, 200, 6 * SECOND_US)
    expect(lines).deep.equal([])
    progress.begin(150, 20 * SECOND_US)
    progress.applied(160, 200, 24 * SECOND_US)
    expect(lines).deep.equal([])
    progress.applied(160, 200, 25 * SECOND_US)
    expect(lines).have.length(1)
  })
})
