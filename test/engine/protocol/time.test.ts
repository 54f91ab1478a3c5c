import { expect } from 'chai'
import fc from 'fast-check'
import {
  parseBlockTimestamp,
  parseTimePoint,
  parseTimePointSec,
  parseWideTimePoint,
  slotToString,
  slotToUs,
  timePointSecToString,
  timePointToString,
  usToSlot,
} from '../../../src/engine/protocol/time.ts'
import { refusal, refusalOf } from '../refusal.ts'

const NEW_YEAR_2026 = 1767225600
const YEAR_10000 = 253402300800n

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

  it('print as ISO 8601 up to the year 9999', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number(YEAR_10000) * 1000 - 1 }), (ms) => {
        expect(timePointToString(BigInt(ms) * 1000n)).to.equal(
          new Date(ms).toISOString().slice(0, 23),
        )
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
    const is_not_printed = (us: bigint) =>
      expect(refusalOf(() => timePointToString(us))).to.include({
        message: 'Year is out of valid range: 1400..9999',
        isStd: true,
      })
    is_not_printed(2n ** 62n)
    is_not_printed(YEAR_10000 * 1000000n)
    is_not_printed(2n ** 63n - 1n)
    expect(timePointToString(YEAR_10000 * 1000000n - 1n)).to.equal('9999-12-31T23:59:59.999')
    expect(timePointToString(-(2n ** 63n))).to.equal('-infinity')
    expect(timePointToString(1n - 2n ** 63n)).to.equal('-2562047788:00:54.775807'.replace(/:/g, ''))
  })

  it('far away print with the low 16 bits of their year, where these are a year', () => {
    // Days from 1970-01-01 to the first day of these years, by the Gregorian calendar.
    const print = (day: bigint) => timePointToString((day * 86400n + 3723n) * 1000000n + 5000n)
    const firstDay = (year: number) => {
      const y = BigInt(year - 1)
      return y * 365n + y / 4n - y / 100n + y / 400n - 719162n
    }
    expect(print(firstDay(1970))).to.equal('1970-01-01T01:02:03.005')
    expect(print(firstDay(65536 + 1400))).to.equal('1400-01-01T01:02:03.005')
    expect(print(firstDay(65536 + 10000) - 1n)).to.equal('9999-12-31T01:02:03.005')
    expect(refusalOf(() => print(firstDay(65536 + 10000))).isStd).to.equal(true)
    expect(refusalOf(() => print(firstDay(65536 + 1400) - 1n)).isStd).to.equal(true)
    // The year 67636 has a 29th of February, and the year 2100 has none.
    expect(print(firstDay(65536 + 2100) + 59n)).to.equal('2100-03-01T01:02:03.005')
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
      ['2026-january-01T00:00:00', us],
      ['20260101xT000000', us],
      ['20260101T000000x5', us],
    ]
    for (const [text, expected] of cases) {
      expect(parseTimePoint(text), text).to.equal(expected)
    }
    expect(parseTimePointSec('2026-01-01T00:00:00.999')).to.equal(NEW_YEAR_2026)
  })

  it('that are none are read by their words, as the reference reads what it prints', () => {
    const seconds = (us: bigint) => Number(BigInt.asUintN(32, us / 1000000n))
    expect(parseTimePointSec('-infinity')).to.equal(seconds(-(2n ** 63n)))
    expect(parseTimePointSec('+infinity')).to.equal(seconds(2n ** 63n - 1n))
    expect(parseTimePointSec('not-a-date-time')).to.equal(seconds(2n ** 63n - 2n))
    expect(parseWideTimePoint('-infinity')).to.equal(BigInt(seconds(-(2n ** 63n))) * 1000000n)
  })

  it('beyond 64 bits of microseconds wrap', () => {
    // 10^18 milliseconds after the second.
    const text = `2026-01-01T00:00:00.${'0'.repeat(18)}`
    const us = BigInt(NEW_YEAR_2026) * 1000000n + (10n ** 18n - 1000n) * 1000n
    expect(parseWideTimePoint(text)).to.equal(BigInt.asIntN(64, us))
    expect(refusal(() => parseTimePoint(text))).to.equal('overflow_exception')
    expect(refusal(() => parseTimePoint(`${text}00`))).to.equal('parse_error_exception')
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
      '2026-janx-01T00:00:00',
      '2026010T000000',
      'a'.repeat(64),
      '20260101'.padEnd(64, '0'),
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
