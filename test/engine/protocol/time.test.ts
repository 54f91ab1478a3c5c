import { expect } from 'chai'
import fc from 'fast-check'
import {
  parseBlockTimestamp,
  parseTimePoint,
  parseTimePointSec,
  slotToString,
  slotToUs,
  timePointSecToString,
  timePointToString,
  usToSlot,
} from '../../../src/engine/protocol/time.ts'
import { refusal } from '../refusal.ts'

const NEW_YEAR_2026 = 1767225600

describe('times', () => {
  it('print to a text that gives the same time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (n) => {
        expect(parseTimePointSec(timePointSecToString(n))).to.equal(n)
        expect(usToSlot(slotToUs(n))).to.equal(n)
        expect(parseBlockTimestamp(slotToString(n))).to.equal(n)
        expect(parseTimePoint(timePointToString(n * 1000))).to.equal(n * 1000)
      }),
    )
  })

  it('print as the reference prints them', () => {
    expect(timePointToString(NEW_YEAR_2026 * 1e6 + 123999)).to.equal('2026-01-01T00:00:00.123')
    expect(timePointSecToString(NEW_YEAR_2026)).to.equal('2026-01-01T00:00:00')
    expect(slotToString(0)).to.equal('2000-01-01T00:00:00.000')
    expect(slotToString(1)).to.equal('2000-01-01T00:00:00.500')
    expect(timePointToString(-1)).to.equal('-000000.000001')
    expect(timePointToString(-3600n * 1000000n)).to.equal('-010000')
    expect(refusal(() => timePointToString(2n ** 62n))).to.equal('std_exception')
  })

  it('round down to slots', () => {
    expect(usToSlot(slotToUs(7) + 499999)).to.equal(7)
    expect(usToSlot(slotToUs(7) - 1)).to.equal(6)
  })

  it('are read leniently, as the reference reads them', () => {
    const us = NEW_YEAR_2026 * 1e6
    const cases: [string, number][] = [
      ['2026-01-01T00:00:00', us],
      ['2026-01-01T00:00:00.5', us + 500000],
      ['2026-01-01T00:00:00.123', us + 123000],
      // Four digits count as so many milliseconds.
      ['2026-01-01T00:00:00.1234', us + (11234 - 1000) * 1000],
      ['2026-01-01T00:00', us],
      ['2026-01-01T00', us],
      ['2026-1-1T0:0:0', us],
      ['2026-Jan-01T00:00:00', us],
      ['20260101T000000', us],
      ['20260101T0000', us],
      ['2026-01-01T24:00:00', us + 86400e6],
      ['2026-01-01T00:90:00', us + 5400e6],
    ]
    for (const [text, expected] of cases) {
      expect(parseTimePoint(text), text).to.equal(expected)
    }
    expect(parseTimePointSec('2026-01-01T00:00:00.999')).to.equal(NEW_YEAR_2026)
  })

  it('are refused when they are none', () => {
    for (const text of [
      '',
      'T',
      'now',
      '2026',
      '2026-01-01',
      '2026-01-01T',
      '2026-13-01T00:00:00',
      '2026-02-30T00:00:00',
      '2026-00-01T00:00:00',
      '2026-01-01T00:00:00Z',
      '2026-01-01 00:00:00',
      '1399-01-01T00:00:00',
      '2026-01-01Tab:00:00',
      'x'.repeat(100000),
    ]) {
      expect(
        refusal(() => parseTimePointSec(text)),
        text.slice(0, 40),
      ).to.equal('std_exception')
    }
  })
})
