import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import { ReversibleLog } from '../../../src/engine/store/reversible_log.ts'
import type { ReversibleLogOptions } from '../../../src/engine/store/reversible_log.ts'
import { MARK_SIZE } from '../../../src/engine/store/reversible_records.ts'
import type { ReversibleRecord } from '../../../src/engine/store/reversible_records.ts'
import { sampleBlock } from './sample_blocks.ts'
import { temporaryFolder } from './temporary_folder.ts'

const record = (n: number): ReversibleRecord => ({ packed: sampleBlock(n), executed: n % 2 === 0 })
const records = [1, 2, 3, 4].map(record)
const plain = (list: readonly ReversibleRecord[]) =>
  list.map(({ packed, executed }) => [Buffer.from(packed).toString('hex'), executed])

const HEADER = 20
const mark = new Uint8Array(MARK_SIZE).fill(0xe7)

describe('store: reversible log', () => {
  const root = temporaryFolder()
  let count = 0
  const newFolder = () => join(root, String(count++))
  const open = (folder: string, options: Partial<ReversibleLogOptions> = {}) =>
    ReversibleLog.open(folder, { mark, ...options })

  /** The bytes of a log with the records, and where each of them ends, its mark included. */
  function wholeLog(): { bytes: Buffer; ends: number[] } {
    const log = open(newFolder())
    log.mend()
    const ends = [HEADER]
    for (const block of records) {
      log.append([block])
      ends.push(readFileSync(log.path).length)
    }
    log.close()
    return { bytes: readFileSync(log.path), ends }
  }

  const fileWith = (bytes: Buffer) => {
    const folder = newFolder()
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'reversible.log'), bytes)
    return folder
  }

  /** A log of the version without marks. */
  function oldLog(): { bytes: Buffer; ends: number[] } {
    const { bytes } = wholeLog()
    const parts = [bytes.subarray(0, 4), Buffer.from([1, 0, 0, 0])]
    const ends = [8]
    for (const { packed } of records) {
      const header = Buffer.alloc(8)
      header.writeUInt32LE(packed.length, 0)
      header.writeUInt32LE(crc32(packed, crc32(header.subarray(0, 4))), 4)
      parts.push(header, Buffer.from(packed))
      ends.push(ends.at(-1)! + 8 + packed.length)
    }
    return { bytes: Buffer.concat(parts), ends }
  }

  for (const sync_each_block of [false, true]) {
    it(`gives back what was appended (sync_each_block ${sync_each_block})`, () => {
      const folder = newFolder()
      const log = open(folder, { sync_each_block })
      expect(log.is_missing).equal(true)
      expect(log.records).deep.equal([])
      for (const block of records) log.append([block])
      log.close()
      const again = open(folder)
      expect(again.is_missing).equal(false)
      expect(plain(again.records)).deep.equal(plain(records))
      again.append([record(5)])
      again.close()
      const last = open(folder)
      expect(plain(last.records)).deep.equal(plain([...records, record(5)]))
      last.close()
    })
  }

  it('drops an incomplete end of any length, and continues', () => {
    const { bytes, ends } = wholeLog()
    const near = (size: number) => ends.some((end) => Math.abs(end - size) < MARK_SIZE + 2)
    for (let size = HEADER; size <= bytes.length; size++) {
      // Every change waits for the disk.
      if (size % 16 !== 0 && !near(size)) continue
      const folder = fileWith(bytes.subarray(0, size))
      const log = open(folder)
      const whole = ends.filter((end) => end - MARK_SIZE <= size).length - 1
      expect(log.records.length, `cut at ${size}`).equal(whole)
      log.append([record(9)])
      log.close()
      const again = open(folder)
      expect(plain(again.records)).deep.equal(plain([...records.slice(0, whole), record(9)]))
      again.close()
    }
  })

  it('drops what is incomplete of records that were written together', () => {
    const log = open(newFolder())
    log.append([record(0)])
    const begin = readFileSync(log.path).length
    log.append(records)
    log.close()
    const bytes = readFileSync(log.path)
    // Their mark is not on the disk before they are.
    const unsynced = bytes.subarray(0, -MARK_SIZE)
    const ends = records.map(({ packed }) => 8 + packed.length + MARK_SIZE)
    for (let i = 0, end = begin; i < ends.length; i++) ends[i] = end += ends[i]!
    /** The number of records before the first one of which a part is missing. */
    const wholeWithout = (from: number, to: number) => {
      const broken = ends.findIndex(
        (end, i) => (ends[i - 1] ?? begin) < to && from < end - MARK_SIZE,
      )
      return broken < 0 ? records.length : broken
    }
    const expectWhole = (contents: Buffer, whole: number, what: string): void => {
      const again = open(fileWith(contents))
      expect(plain(again.records), what).deep.equal(plain([record(0), ...records.slice(0, whole)]))
      expect(again.damaged_at).equal(undefined)
      again.close()
    }
    for (let at = begin; at < unsynced.length; at += 5) {
      expectWhole(unsynced.subarray(0, at), wholeWithout(at, Infinity), `cut at ${at}`)
      const hole = Buffer.from(unsynced)
      hole.fill(0xff, at, Math.min(at + 5, hole.length))
      expectWhole(hole, wholeWithout(at, at + 5), `a hole at ${at}`)
    }
    expectWhole(bytes, records.length, 'all of it')
    const damaged = Buffer.from(bytes)
    damaged[begin + 10]! ^= 1
    expect(() => open(fileWith(damaged))).throw(`is damaged at byte ${begin}`)
  })

  it('finds the other records that were written together with a damaged one', () => {
    const log = open(newFolder())
    log.append(records)
    log.append([record(5)])
    log.close()
    const bytes = readFileSync(log.path)
    const all = [...records, record(5)]
    let begin = HEADER
    for (const [i, { packed }] of all.entries()) {
      const end = begin + 8 + packed.length
      // In the length, in the block, and in what follows the record.
      for (const at of [begin + 1, begin + 20, end + 3]) {
        const damaged = Buffer.from(bytes)
        damaged[at]! ^= 1
        const folder = fileWith(damaged)
        const is_harmless = at > end
        if (!is_harmless) expect(() => open(folder)).throw(`is damaged at byte ${begin}`)
        const again = open(folder, { accept_damage: true })
        const left = all.filter((_, k) => is_harmless || k !== i)
        expect(plain(again.records), `byte ${at}`).deep.equal(plain(left))
        again.close()
      }
      begin = end + MARK_SIZE
    }
  })

  it('drops a record of which parts were never written', () => {
    const { bytes, ends } = wholeLog()
    for (let at = ends[3]!; at < ends[4]! - MARK_SIZE; at++) {
      const torn = Buffer.from(bytes.subarray(0, ends[4]! - MARK_SIZE))
      torn[at] = torn[at]! ^ 0x10
      const log = open(fileWith(torn))
      expect(plain(log.records), `byte ${at}`).deep.equal(plain(records.slice(0, 3)))
      expect(log.dropped_bytes).equal(torn.length - ends[3]!)
      log.close()
    }
  })

  it('drops zeros that a file system left behind', () => {
    const { bytes } = wholeLog()
    const log = open(fileWith(Buffer.concat([bytes, Buffer.alloc(500)])))
    expect(log.records.length).equal(4)
    expect(log.dropped_bytes).equal(500)
    log.close()
  })

  it('changes nothing before it is mended', () => {
    const { bytes } = wholeLog()
    const torn = bytes.subarray(0, bytes.length - 30)
    const folder = fileWith(torn)
    const log = open(folder)
    expect(readFileSync(log.path)).deep.equal(torn)
    expect(log.mend()).equal(undefined)
    log.close()
    expect(readFileSync(log.path).length).lessThan(torn.length)
    const empty = newFolder()
    open(empty)
    expect(existsSync(join(empty, 'reversible.log'))).equal(false)
  })

  it('takes every flipped bit of a record for damage, whole records behind it or not', () => {
    const { bytes, ends } = wholeLog()
    const is_mark = (at: number) => ends.slice(1).some((end) => at >= end - MARK_SIZE && at < end)
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = damaged[at]! ^ (1 << (at % 8))
      const folder = fileWith(damaged)
      if (is_mark(at)) {
        // It says nothing that the records do not say.
        const log = open(folder)
        expect(plain(log.records), `byte ${at}`).deep.equal(plain(records))
        log.close()
        continue
      }
      const record_at = ends.findLastIndex((end) => end <= at)
      const from = at < HEADER ? 0 : ends[record_at]!
      expect(() => open(folder, { way_out: ': WAY OUT' }), `byte ${at}`).throw(
        `is damaged at byte ${from}: WAY OUT`,
      )
      expect(readFileSync(join(folder, 'reversible.log'))).deep.equal(damaged)

      if (at % 32 !== 0) continue
      const log = open(folder, { accept_damage: true })
      const whole = at < HEADER ? records : records.filter((_, i) => i !== record_at)
      expect(plain(log.records), `byte ${at}`).deep.equal(plain(whole))
      const kept = log.mend()!
      expect(kept).match(/reversible\.log\.lost-1$/)
      expect(readFileSync(kept)).deep.equal(damaged)
      log.append([record(7)])
      log.close()
      const again = open(folder)
      expect(plain(again.records)).deep.equal(plain([...whole, record(7)]))
      again.close()
    }
  })

  it('finds what is behind many damaged bytes', () => {
    const { bytes, ends } = wholeLog()
    const damaged = Buffer.from(bytes).fill(0, ends[0]! + 3, ends[2])
    expect(() => open(fileWith(damaged))).throw(`is damaged at byte ${HEADER}`)
    const log = open(fileWith(damaged), { accept_damage: true })
    expect(plain(log.records)).deep.equal(plain(records.slice(2)))
    log.close()
  })

  it('keeps damaged files apart', () => {
    const { bytes } = wholeLog()
    const folder = fileWith(bytes)
    for (const number of [1, 2]) {
      const damaged = readFileSync(join(folder, 'reversible.log'))
      damaged[HEADER + 9]! ^= 1
      writeFileSync(join(folder, 'reversible.log'), damaged)
      const log = open(folder, { accept_damage: true })
      expect(log.mend()).equal(join(folder, `reversible.log.lost-${number}`))
      log.close()
    }
    expect(readdirSync(folder).length).equal(3)
  })

  it('reads the version without marks: a bad record with whole ones behind it is damaged', () => {
    const { bytes, ends } = oldLog()
    const all = records.map((r) => ({ ...r, executed: true }))
    const folder = fileWith(bytes)
    const log = open(folder)
    expect(plain(log.records)).deep.equal(plain(all))
    log.append([record(8)])
    log.close()
    const again = open(folder)
    expect(plain(again.records)).deep.equal(plain([...all, record(8)]))
    again.close()
    for (let at = ends[1]!; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = damaged[at]! ^ 1
      if (at < ends[3]!) {
        expect(() => open(fileWith(damaged)), `byte ${at}`).throw('is damaged at byte')
      } else {
        const torn = open(fileWith(damaged))
        expect(plain(torn.records), `byte ${at}`).deep.equal(plain(all.slice(0, 3)))
        torn.close()
      }
    }
  })

  it('is replaced as a whole', () => {
    const folder = newFolder()
    const log = open(folder)
    for (const block of records) log.append([block])
    log.rewrite([records[3]!])
    log.append([record(5)])
    log.close()
    // What a crash before the renaming leaves behind does no harm.
    writeFileSync(join(folder, 'reversible.log.new'), 'half')
    const again = open(folder)
    expect(plain(again.records)).deep.equal(plain([records[3]!, record(5)]))
    again.rewrite([])
    again.close()
    const last = open(folder)
    expect(last.records).deep.equal([])
    last.close()
  })

  it('refuses files that are something else, or newer', () => {
    expect(() => open(fileWith(Buffer.alloc(30, 1)))).throw('is damaged at byte 0')
    const { bytes } = wholeLog()
    bytes.writeUInt32LE(3, 4)
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 16)), 16)
    expect(() => open(fileWith(bytes))).throw('version 3; this program reads versions 1 and 2')
  })
})
