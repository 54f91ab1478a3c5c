import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { ChainWithHistory } from './chain_with_history.ts'
import { ShipReader } from './ship_reader.ts'

const DAMAGED = 4

/** Changes a byte of the id of a block in a log, behind its number. */
function damage(folder: string, name: string): void {
  const stem = join(folder, 'state-history', name)
  const index = readFileSync(`${stem}.index`)
  const first = readFileSync(`${stem}.log`).readUInt32BE(8)
  const at = Number(index.readBigUInt64LE(8 * (DAMAGED - first))) + 8 + 20
  const fd = openSync(`${stem}.log`, 'r+')
  const [byte] = readFileSync(`${stem}.log`).subarray(at)
  writeSync(fd, Uint8Array.of(byte! ^ 1), 0, 1, at)
  closeSync(fd)
}

/** A request of one block with traces and deltas. */
function request(block_num: number): string {
  const w = new Writer()
  w.varuint32(1)
  for (const number of [block_num, block_num + 1, 1]) w.u32(number)
  w.varuint32(0)
  for (const flag of [0, 0, 1, 1]) w.u8(flag)
  return toHex(w.bytes())
}

describe('a changed id inside a log of state history', () => {
  for (const name of ['trace_history', 'chain_state_history'])
    it(`of ${name} is told by the start, and is not sent to readers`, async () => {
      const folder = temporaryFolder()
      const store = new MemoryStore()
      const lines: string[] = []
      const log = (_level: string, line: string): void => void lines.push(line)
      let scene = await ChainWithHistory.open(folder, store, undefined, undefined, log)
      try {
        scene.test.produce(8)
        damage(folder, name)
        const reader = await ShipReader.connect(scene.url)
        reader.send(request(DAMAGED - 2))
        await reader.messages(2)
        reader.send(request(DAMAGED))
        await reader.end()
        expect(reader.received).have.length(2)
        expect(lines.join('\n')).match(
          /state history connection from .* failed: .*block 4.* damaged/,
        )
      } finally {
        await scene.close()
      }
      const refused = await ChainWithHistory.open(folder, store).then(
        (opened) => {
          scene = opened
          return scene.close()
        },
        (error: unknown) => String(error),
      )
      expect(refused).match(
        new RegExp(
          `the id of block 4 of ${name}.log is damaged: put ${name}.log back, or start once with ` +
            '--delete-state-history$',
        ),
      )
    })
})
