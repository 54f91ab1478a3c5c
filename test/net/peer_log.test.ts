import { expect } from 'chai'
import { PeerLog } from '../../src/net/peer_log.ts'
import { ManualClock } from '../support/manual_clock.ts'

describe('lines about peers', () => {
  let clock: ManualClock
  let lines: string[]
  let log: PeerLog

  beforeEach(() => {
    clock = new ManualClock(1e15)
    lines = []
    log = new PeerLog((level, text) => void lines.push(`${level} ${text}`), clock)
  })

  const flood = (count: number, is_incoming: boolean, level: 'debug' | 'info' = 'info') => {
    for (let i = 0; i < count; i++) log.write(level, 'a line', is_incoming, { connection: 1 })
  }

  it('a bounded number is written of those that nodes cause that connected', () => {
    flood(1000, true)
    expect(lines).have.length(100)
    clock.set(clock.now() + 2_000_000)
    flood(1000, true)
    expect(lines).have.length(110)
    clock.set(clock.now() + 8_000_000)
    flood(1, true)
    expect(lines.slice(110)).deep.equal([
      'info a line',
      'warn 1890 lines about nodes that connected were left out',
    ])
  })

  it('all are written for debugging, and about peers that this node connects to', () => {
    flood(1000, true, 'debug')
    flood(1000, false)
    expect(lines).have.length(2000)
  })
})
