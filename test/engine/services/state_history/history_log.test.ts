import {
  appendFileSync,
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import { HistoryLog } from '../../../../src/engine/services/state_history/history_log.ts'
import { LogCatalog } from '../../../../src/engine/services/state_history/log_catalog.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'

const root = temporaryFolder()
let places = 0
const place = (): string => join(root, `log${places++}`)

/** Bytes of an entry before its payload. */
const PAYLOAD = 60

const log = (): void => undefined

/** The id of a block of a branch. */
function idOf(block_num: number, branch = 0): Uint8Array {
  const id = Buffer.alloc(32, branch)
  id.writeUInt32BE(block_num)
  return new Uint8Array(id)
}

interface Appended {
  append(block: { id: Uint8Array; previous: Uint8Array }, pack: () => readonly Uint8Array[]): void
}

/** Appends blocks of a branch; the first one follows a block of another branch. */
function append(to: Appended, first: number, last: number, branch = 0, from = branch): void {
  for (let n = first; n <= last; n++) {
    const previous = idOf(n - 1, n === first ? from : branch)
    to.append({ id: idOf(n, branch), previous }, () => [payload(n, branch)])
  }
}

const payload = (block_num: number, branch = 0): Uint8Array =>
  new Uint8Array(50 + (block_num % 7)).fill(block_num + branch)

async function read(
  from: Pick<HistoryLog, 'entry'>,
  block_num: number,
  branch = 0,
): Promise<Uint8Array> {
  const entry = from.entry(block_num, idOf(block_num, branch))!
  const pieces: Buffer[] = []
  for await (const piece of entry.pieces()) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  expect(await entry.size()).equal(bytes.length)
  entry.close()
  return new Uint8Array(bytes)
}

async function expectBlocks(
  from: Pick<HistoryLog, 'entry' | 'range' | 'blockId'>,
  first: number,
  last: number,
  branchOf: (block_num: number) => number = () => 0,
): Promise<void> {
  expect(from.range).deep.equal({ begin: first, end: last + 1 })
  for (let n = first; n <= last; n++) {
    expect(from.blockId(n)).deep.equal(idOf(n, branchOf(n)))
    expect(await read(from, n, branchOf(n))).deep.equal(payload(n, branchOf(n)))
  }
  expect(from.entry(first - 1, idOf(first - 1))).equal(undefined)
  expect(from.entry(last + 1, idOf(last + 1))).equal(undefined)
}

/** A log that is closed and opened again. */
function again(open: HistoryLog, stem: string, retain_blocks?: number): HistoryLog {
  open.close()
  return HistoryLog.open(stem, { log, retain_blocks })
}

describe('history log', () => {
  it('has its blocks after it is opened again', async () => {
    const stem = place()
    let open = HistoryLog.open(stem, { log })
    expect(open.range).deep.equal({ begin: 0, end: 0 })
    append(open, 2, 30)
    await expectBlocks(open, 2, 30)
    open = again(open, stem)
    append(open, 31, 31)
    await expectBlocks(open, 2, 31)
    open.close()
  })

  it('has the blocks of the last fork, also where it is shorter', async () => {
    const stem = place()
    let open = HistoryLog.open(stem, { log })
    append(open, 2, 10)
    append(open, 6, 8, 1, 0)
    const branchOf = (n: number): number => (n < 6 ? 0 : 1)
    await expectBlocks(open, 2, 8, branchOf)
    open = again(open, stem)
    await expectBlocks(open, 2, 8, branchOf)
    rmSync(`${stem}.index`)
    open = again(open, stem)
    await expectBlocks(open, 2, 8, branchOf)
    append(open, 9, 9, 1)
    await expectBlocks(open, 2, 9, branchOf)
    open.close()
  })

  it('writes no block that it has', () => {
    const stem = place()
    const open = HistoryLog.open(stem, { log })
    append(open, 2, 5)
    const { size } = statSync(`${stem}.log`)
    append(open, 3, 5)
    expect(statSync(`${stem}.log`).size).equal(size)
    open.close()
  })

  it('refuses blocks that do not follow its own', () => {
    const open = HistoryLog.open(place(), { log })
    append(open, 5, 8)
    const add = (n: number, branch: number, from: number) => () => append(open, n, n, branch, from)
    expect(add(10, 0, 0)).throw(/block 10 skips over block 9 in /)
    expect(add(4, 0, 0)).throw(/block 4 is before start block 5 of /)
    expect(add(9, 1, 1)).throw(/missed a fork change in /)
    expect(add(7, 1, 1)).throw(/missed a fork change in /)
    const from_genesis = HistoryLog.open(place(), { log })
    append(from_genesis, 2, 4)
    expect(() => append(from_genesis, 2, 2, 1)).throw(
      /existing ship log with 3 blocks when starting from genesis block 2/,
    )
    from_genesis.close()
    open.close()
  })

  it('is cut where it ends with an incomplete block, wherever that ends', async () => {
    const stem = place()
    let open = HistoryLog.open(stem, { log })
    append(open, 2, 6)
    const before = statSync(`${stem}.log`).size
    append(open, 7, 7)
    const whole = readFileSync(`${stem}.log`)
    const index = readFileSync(`${stem}.index`)
    open.close()
    for (let size = before; size < whole.length; size++) {
      writeFileSync(`${stem}.log`, whole.subarray(0, size))
      // The index may have the block already, or not.
      writeFileSync(`${stem}.index`, size % 2 ? index : index.subarray(0, -8))
      open = HistoryLog.open(stem, { log })
      expect(open.range, `${size} bytes`).deep.equal({ begin: 2, end: 7 })
      expect(statSync(`${stem}.log`).size).equal(before)
      open.close()
    }
    open = HistoryLog.open(stem, { log })
    append(open, 7, 7)
    await expectBlocks(open, 2, 7)
    open.close()
  })

  it('is cut before a block whose payload is damaged at the end', () => {
    const stem = place()
    const open = HistoryLog.open(stem, { log })
    append(open, 2, 6)
    open.close()
    const bytes = readFileSync(`${stem}.log`)
    bytes[bytes.length - 40]! ^= 1
    writeFileSync(`${stem}.log`, bytes)
    const cut = HistoryLog.open(stem, { log })
    expect(cut.range).deep.equal({ begin: 2, end: 6 })
    cut.close()
  })

  it('is not emptied where its last block is damaged, and the block before it cannot be found', () => {
    const stem = place()
    const open = HistoryLog.open(stem, { log })
    append(open, 2, 6)
    open.close()
    const bytes = readFileSync(`${stem}.log`)
    const position = Number(readFileSync(`${stem}.index`).readBigUInt64LE(8 * 4))
    // What ends block 5 tells where it begins.
    bytes[position - 1]! ^= 1
    bytes[position + PAYLOAD + 20]! ^= 1
    writeFileSync(`${stem}.log`, bytes)
    expect(() => HistoryLog.open(stem, { log })).throw(/^the end of .*log is damaged: put .* back/)
    expect(readFileSync(`${stem}.log`).equals(bytes)).equal(true)
  })

  for (const retain_blocks of [undefined, 20])
    for (const [block_num, at_byte] of [
      [2, PAYLOAD + 20],
      [4, PAYLOAD + 20],
      [5, PAYLOAD + 20],
      // The magic, the size.
      [4, 7],
      [5, 41],
      // The number in the id: one more or one less, 256 more, 16 million more.
      [2, 11],
      [4, 11],
      [5, 11],
      [2, 10],
      [4, 10],
      [5, 8],
    ] as const) {
      if (retain_blocks !== undefined && at_byte < PAYLOAD) continue
      // The header of the first entry stays where blocks were removed, so it is not known to be damaged.
      if (retain_blocks !== undefined && block_num === 2) continue
      const kind = retain_blocks === undefined ? 'log' : 'pruned log'
      it(`${kind}: block ${block_num} is damaged at byte ${at_byte}, and whole ones follow`, async () => {
        const stem = place()
        const options = { log, retain_blocks }
        const open = HistoryLog.open(stem, options)
        append(open, 2, 6)
        open.close()
        const bytes = readFileSync(`${stem}.log`)
        const at = 8 * (block_num - 2)
        const position = Number(readFileSync(`${stem}.index`).readBigUInt64LE(at))
        bytes[position + at_byte]! ^= 1
        writeFileSync(`${stem}.log`, bytes)

        // The chain is already behind it: nothing is lost, and it is told what to do.
        const behind = HistoryLog.open(stem, options)
        const advice = new RegExp(
          `^block ${block_num} of .*: put .*log back, or start once with --delete-state-history$`,
        )
        expect(() => behind.checkWhole()).throw(advice)
        expect(() => append(behind, 7, 7)).throw(advice)
        behind.close()
        expect(readFileSync(`${stem}.log`).equals(bytes)).equal(true)

        // The chain applies it again, as after a power loss.
        const again = HistoryLog.open(stem, options)
        append(again, block_num, 8)
        again.checkWhole()
        await expectBlocks(again, 2, 8)
        again.close()
        const whole = HistoryLog.open(stem, options)
        await expectBlocks(whole, 2, 8)
        whole.close()

        // A fork goes back to a block before it.
        if (block_num < 4) return
        writeFileSync(`${stem}.log`, bytes)
        const forked = HistoryLog.open(stem, options)
        append(forked, 3, 8, 1, 0)
        forked.checkWhole()
        await expectBlocks(forked, 2, 8, (n) => (n < 3 ? 0 : 1))
        forked.close()
      })
    }

  it('reports a changed id, a changed number and a damaged payload of an old block when it is read', async () => {
    const stem = place()
    const open = HistoryLog.open(stem, { log })
    const big = 600_000
    append(open, 2, 6)
    open.append({ id: idOf(7), previous: idOf(6) }, () => [new Uint8Array(big)])
    open.close()
    const bytes = readFileSync(`${stem}.log`)
    const index = readFileSync(`${stem}.index`)
    const reasonOf = async (block_num: number, at_byte: number): Promise<string> => {
      const damaged = HistoryLog.open(stem, { log })
      const changed = Buffer.from(bytes)
      changed[Number(index.readBigUInt64LE(8 * (block_num - 2))) + at_byte]! ^= 1
      // Meanwhile, because a start would notice it.
      writeFileSync(`${stem}.log`, changed)
      try {
        const entry = damaged.entry(block_num, idOf(block_num))!
        for await (const piece of entry.pieces()) expect(piece.length).greaterThan(0)
        return 'whole'
      } catch (error) {
        return String(error)
      } finally {
        damaged.close()
        writeFileSync(`${stem}.log`, bytes)
      }
    }
    for (const block_num of [4, 7]) {
      expect(await reasonOf(block_num, 20)).match(
        new RegExp(`block ${block_num} of .*log is damaged: its id is wrong`),
      )
      expect(await reasonOf(block_num, 11)).match(
        new RegExp(`block ${block_num} of .*log is damaged, or .*index is: remove the index`),
      )
      expect(await reasonOf(block_num, PAYLOAD + 20)).match(
        new RegExp(`block ${block_num} of .*log is damaged$`),
      )
      // The size of the plain payload.
      expect(await reasonOf(block_num, 53)).match(
        new RegExp(`block ${block_num} of .*log is damaged$`),
      )
    }
  })

  it('never gives another payload than was written, whichever bit of an old block is changed', async () => {
    const stem = place()
    const open = HistoryLog.open(stem, { log })
    append(open, 2, 6)
    const bytes = readFileSync(`${stem}.log`)
    const index = readFileSync(`${stem}.index`)
    const [begin, end] = [4, 5].map((n) => Number(index.readBigUInt64LE(8 * (n - 2))))
    const fd = openSync(`${stem}.log`, 'r+')
    const told = new Set<number>()
    for (let at = begin!; at < end!; at++) {
      for (let bit = 0; bit < 8; bit++) {
        writeSync(fd, Uint8Array.of(bytes[at]! ^ (1 << bit)), 0, 1, at)
        const found = await read(open, 4).catch((error: unknown) => {
          if (!(error instanceof ChainError)) throw error
          told.add(at - begin!)
          return payload(4)
        })
        expect(found, `byte ${at - begin!}, bit ${bit}`).deep.equal(payload(4))
      }
      writeSync(fd, bytes, at, 1, at)
    }
    closeSync(fd)
    open.close()
    // The id, and the payload with its size and its checksum.
    for (let at = 8; at < 40; at++) expect(told.has(at), `byte ${at}`).equal(true)
    for (let at = 48; at < end! - begin! - 8; at++) expect(told.has(at), `byte ${at}`).equal(true)
  })

  it('refuses a file that is not a history log', () => {
    const stem = place()
    writeFileSync(`${stem}.log`, 'something else, and long enough to be the header of an entry')
    expect(() => HistoryLog.open(stem, { log })).throw(/is corrupted and cannot be repaired/)
  })

  it('reads compressed entries of old versions', async () => {
    const stem = place()
    const open = HistoryLog.open(stem, { log })
    append(open, 2, 2)
    open.close()
    const bytes = readFileSync(`${stem}.log`)
    const zipped = deflateSync(payload(3))
    const header = Buffer.from(bytes.subarray(0, 48))
    header.set(idOf(3), 8)
    header.writeBigUInt64LE(BigInt(zipped.length + 4), 40)
    const suffix = Buffer.alloc(8)
    suffix.writeBigUInt64LE(BigInt(bytes.length))
    appendFileSync(`${stem}.log`, Buffer.concat([header, Buffer.alloc(4), zipped, suffix]))
    const old = HistoryLog.open(stem, { log })
    await expectBlocks(old, 2, 3)
    old.close()
  })

  it('keeps the last blocks alone, and all again later', async () => {
    const stem = place()
    let open = HistoryLog.open(stem, { log })
    append(open, 2, 20)
    open = again(open, stem, 8)
    await expectBlocks(open, 13, 20)
    append(open, 21, 30)
    // A log is pruned in steps.
    expect(open.range).deep.equal({ begin: 13, end: 31 })
    open = again(open, stem, 8)
    await expectBlocks(open, 23, 30)
    open = again(open, stem)
    await expectBlocks(open, 23, 30)
    append(open, 31, 40)
    await expectBlocks(again(open, stem), 23, 40)
  })

  it('from which one block was removed keeps the others', async () => {
    const stem = place()
    let open = HistoryLog.open(stem, { log })
    append(open, 2, 10)
    open = again(open, stem, 8)
    await expectBlocks(open, 3, 10)
    // As fallocate does it, which is not on each system.
    const second = Number(readFileSync(`${stem}.index`).readBigUInt64LE(8))
    const bytes = readFileSync(`${stem}.log`).fill(0, 48, second)
    writeFileSync(`${stem}.log`, bytes)
    open = again(open, stem, 8)
    await expectBlocks(open, 3, 10)
    open = again(open, stem)
    await expectBlocks(open, 3, 10)
    open.close()
  })

  it('gives the space of removed blocks back when the disk knows that they are removed', async () => {
    const stem = place()
    let open = HistoryLog.open(stem, { log })
    append(open, 2, 10)
    open = again(open, stem, 4)
    const before = readFileSync(`${stem}.log`)
    expect(before.subarray(48, 200).some((byte) => byte !== 0)).equal(true)
    await open.sync()
    const after = readFileSync(`${stem}.log`)
    const seventh = Number(readFileSync(`${stem}.index`).readBigUInt64LE(8 * 5))
    expect(after.subarray(48, seventh).every((byte) => byte === 0)).equal(true)
    expect(after.subarray(seventh).equals(before.subarray(seventh))).equal(true)
    await expectBlocks(open, 7, 10)
    open.close()
  })

  it('that is pruned is cut too where it ends with an incomplete block', async () => {
    const stem = place()
    let open = HistoryLog.open(stem, { log, retain_blocks: 8 })
    append(open, 2, 20)
    open = again(open, stem, 8)
    const { size } = statSync(`${stem}.log`)
    append(open, 21, 21)
    open.close()
    truncateSync(`${stem}.log`, size + 20)
    open = HistoryLog.open(stem, { log, retain_blocks: 8 })
    expect(open.range.end).equal(21)
    append(open, 21, 25)
    await expectBlocks(again(open, stem, 8), 18, 25)
  })
})

describe('split history log', () => {
  const SPLIT = { stride: 10, max_retained_files: 2 }

  it('has the blocks of all its files, and archives or removes the oldest', async () => {
    const folder = place()
    const retained_dir = join(folder, 'retained')
    const archive_dir = join(folder, 'archive')
    const open = (archive?: string) =>
      new LogCatalog(
        folder,
        'trace_history',
        { log },
        { ...SPLIT, retained_dir, archive_dir: archive },
      )
    let catalog = open(archive_dir)
    append(catalog, 2, 35)
    await expectBlocks(catalog, 11, 35)
    expect(statSync(join(archive_dir, 'trace_history-2-10.log')).size).greaterThan(0)
    catalog.close()
    catalog = open()
    await expectBlocks(catalog, 11, 35)
    append(catalog, 36, 40)
    await expectBlocks(catalog, 21, 40)
    catalog.close()
  })

  it('goes back over its files with a fork', async () => {
    const folder = place()
    const options = { stride: 10, max_retained_files: 9, retained_dir: folder }
    let catalog = new LogCatalog(folder, 'log', { log }, options)
    append(catalog, 2, 33)
    append(catalog, 18, 31, 1, 0)
    const branchOf = (n: number): number => (n < 18 ? 0 : 1)
    await expectBlocks(catalog, 2, 31, branchOf)
    catalog.close()
    catalog = new LogCatalog(folder, 'log', { log }, options)
    await expectBlocks(catalog, 2, 31, branchOf)
    catalog.clear()
    expect(catalog.range).deep.equal({ begin: 0, end: 0 })
    catalog.close()
  })

  it('passes over blocks that it no longer keeps when they come again after it was opened', async () => {
    const folder = place()
    const options = { stride: 10, max_retained_files: 1, retained_dir: folder }
    const open = () => new LogCatalog(folder, 'log', { log }, options)
    let catalog = open()
    append(catalog, 2, 33)
    await expectBlocks(catalog, 21, 33)
    catalog.close()
    catalog = open()
    append(catalog, 8, 35)
    await expectBlocks(catalog, 21, 35)
    catalog.close()
    catalog = open()
    expect(() => append(catalog, 8, 35, 1)).throw(/log.log is of another chain: block 21 differs/)
    catalog.close()
  })

  it('starts again with a fork from before its first block', async () => {
    const folder = place()
    const options = { stride: 10, max_retained_files: 1, retained_dir: folder }
    const catalog = new LogCatalog(folder, 'log', { log }, options)
    append(catalog, 2, 33)
    let first = 0
    const fork = { id: idOf(15, 1), previous: idOf(14) }
    catalog.append(fork, (is_first) => ((first = is_first ? 15 : -1), [payload(15, 1)]))
    expect(first).equal(15)
    append(catalog, 16, 18, 1)
    await expectBlocks(catalog, 15, 18, () => 1)
    catalog.close()
  })

  for (const [what, block_num, at_byte] of [
    ['the last block', 20, PAYLOAD + 20],
    ['a block in the middle', 15, PAYLOAD + 20],
    ['the number of a block', 15, 10],
  ] as const)
    it(`refuses a retained file in which ${what} is damaged, and leaves it as it is`, () => {
      const folder = place()
      const options = { stride: 10, max_retained_files: 9, retained_dir: folder }
      const catalog = new LogCatalog(folder, 'log', { log }, options)
      append(catalog, 2, 33)
      catalog.close()
      const path = join(folder, 'log-11-20.log')
      const index = readFileSync(join(folder, 'log-11-20.index'))
      const bytes = readFileSync(path)
      bytes[Number(index.readBigUInt64LE(8 * (block_num - 11))) + at_byte]! ^= 1
      writeFileSync(path, bytes)
      expect(() => new LogCatalog(folder, 'log', { log }, options)).throw(
        /log-11-20.log is damaged: put .* back, or start once with --delete-state-history$/,
      )
      expect(readFileSync(path).equals(bytes)).equal(true)
    })

  it('has its blocks once if a power loss left the last file under its old and its new name', async () => {
    const folder = place()
    const options = { stride: 10, max_retained_files: 9, retained_dir: folder }
    const open = () => new LogCatalog(folder, 'log', { log }, options)
    let catalog = open()
    append(catalog, 2, 20)
    catalog.close()
    for (const type of ['log', 'index']) {
      copyFileSync(join(folder, `log-11-20.${type}`), join(folder, `log.${type}`))
    }
    catalog = open()
    await expectBlocks(catalog, 2, 20)
    append(catalog, 21, 33)
    await expectBlocks(catalog, 2, 33)
    catalog.close()
  })

  it('refuses a file that has the numbers of the last one and other blocks', () => {
    const folder = place()
    const options = { stride: 10, max_retained_files: 9, retained_dir: folder }
    const open = (name: string) => new LogCatalog(folder, name, { log }, options)
    for (const [name, branch] of [
      ['log', 0],
      ['other', 1],
    ] as const) {
      const catalog = open(name)
      append(catalog, 2, 20, branch)
      catalog.close()
    }
    for (const type of ['log', 'index']) {
      copyFileSync(join(folder, `other-11-20.${type}`), join(folder, `log.${type}`))
    }
    expect(() => open('log')).throw(/which results in a hole/)
  })

  it('refuses files between which blocks are missing', () => {
    const folder = place()
    const options = { stride: 10, max_retained_files: 9, retained_dir: folder }
    const catalog = new LogCatalog(folder, 'log', { log }, options)
    append(catalog, 2, 33)
    catalog.close()
    rmSync(join(folder, 'log-11-20.log'))
    rmSync(join(folder, 'log-11-20.index'))
    expect(() => new LogCatalog(folder, 'log', { log }, options)).throw(/which results in a hole/)
  })
})
