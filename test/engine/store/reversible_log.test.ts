import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ReversibleLog } from '../../../src/engine/store/reversible_log.ts'
import { sampleBlock } from './sample_blocks.ts'
import { temporaryFolder } from './temporary_folder.ts'

const blocks = [1, 2, 3, 4].map((n) => sampleBlock(n))
const asHex = (list: readonly Uint8Array[]) => list.map((b) => Buffer.from(b).toString('hex'))

describe('store: reversible log', () => {
  const root = temporaryFolder()
  let count = 0
  const newFolder = () => join(root, String(count++))

  /** The bytes of a log with the blocks, and where each record ends. */
  function wholeLog(): { bytes: Buffer; ends: number[] } {
    const log = ReversibleLog.open(newFolder())
    const ends = [8]
    for (const block of blocks) {
      log.append(block)
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

  for (const sync_each_block of [false, true]) {
    it(`gives back what was appended (sync_each_block ${sync_each_block})`, () => {
      const folder = newFolder()
      const log = ReversibleLog.open(folder, { sync_each_block })
      expect(log.blocks).deep.equal([])
      for (const block of blocks) log.append(block)
      log.close()
      const again = ReversibleLog.open(folder)
      expect(asHex(again.blocks)).deep.equal(asHex(blocks))
      again.append(sampleBlock(5))
      again.close()
      const last = ReversibleLog.open(folder)
      expect(asHex(last.blocks)).deep.equal(asHex([...blocks, sampleBlock(5)]))
      last.close()
    })
  }

  it('drops a torn end, wherever it is torn, and goes on', () => {
    const { bytes, ends } = wholeLog()
    for (let size = 0; size <= bytes.length; size++) {
      const folder = fileWith(bytes.subarray(0, size))
      const log = ReversibleLog.open(folder)
      const whole = Math.max(0, ends.filter((end) => end <= size).length - 1)
      expect(log.blocks.length, `cut at ${size}`).equal(whole)
      log.append(sampleBlock(9))
      log.close()
      const again = ReversibleLog.open(folder)
      expect(asHex(again.blocks)).deep.equal(asHex([...blocks.slice(0, whole), sampleBlock(9)]))
      again.close()
    }
  })

  it('drops what a damaged byte makes doubtful', () => {
    const { bytes, ends } = wholeLog()
    for (let at = ends[2]!; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = damaged[at]! ^ 0x10
      const log = ReversibleLog.open(fileWith(damaged))
      const whole = at < ends[3]! ? 2 : 3
      expect(asHex(log.blocks), `damaged at ${at}`).deep.equal(asHex(blocks.slice(0, whole)))
      log.close()
    }
  })

  it('drops zeros that a file system left behind', () => {
    const { bytes } = wholeLog()
    const log = ReversibleLog.open(fileWith(Buffer.concat([bytes, Buffer.alloc(500)])))
    expect(log.blocks.length).equal(4)
    log.close()
  })

  it('is replaced as a whole', () => {
    const folder = newFolder()
    const log = ReversibleLog.open(folder)
    for (const block of blocks) log.append(block)
    log.rewrite([blocks[3]!])
    log.append(sampleBlock(5))
    log.close()
    // What a crash before the renaming leaves behind does no harm.
    writeFileSync(join(folder, 'reversible.log.new'), 'half')
    const again = ReversibleLog.open(folder)
    expect(asHex(again.blocks)).deep.equal(asHex([blocks[3]!, sampleBlock(5)]))
    again.rewrite([])
    again.close()
    const last = ReversibleLog.open(folder)
    expect(last.blocks).deep.equal([])
    last.close()
  })

  it('refuses files that are something else, or newer', () => {
    expect(() => ReversibleLog.open(fileWith(Buffer.alloc(20, 1)))).throw('not a log')
    const { bytes } = wholeLog()
    bytes.writeUInt32LE(2, 4)
    expect(() => ReversibleLog.open(fileWith(bytes))).throw('version 2')
  })
})
