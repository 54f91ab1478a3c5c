import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { SliceIndex, indexEntries } from '../../../../src/engine/services/trace_api/slice_index.ts'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import { TraceWriter } from '../../../../src/engine/services/trace_api/trace_writer.ts'
import { recordedFile } from '../../../support/recorded_history.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'

const STRIDE = 10
const RANGE = '0000000000-0000010000'
const PREFIX = { index: 'index_', trace: '', trx_id: 'trx_id_' }

describe('writer of trace slices', () => {
  const root = temporaryFolder()
  const opened = (name: string) =>
    new TraceWriter(new SliceFolder(join(root, name), STRIDE), () => {})

  it('closes its files after a sync that runs', async () => {
    const writer = opened('closed')
    writer.appendLib(5)
    writer.appendLib(15)
    await Promise.all([writer.sync(), writer.close()])
    // The numbers of closed files are used again: they must not be closed twice.
    await writer.close()
  })

  it('closes the oldest slice after a sync that runs', async () => {
    const writer = opened('oldest')
    writer.appendLib(5)
    writer.appendLib(15)
    const synced = writer.sync()
    writer.appendLib(25)
    await Promise.all([synced, writer.sync()])
    await writer.close()
    expect(writer.openIndex(2)).equal(undefined)
  })

  for (const kind of ['index', 'trace'] as const)
    it(`a damaged block with whole ones behind it, in the ${kind}`, async () => {
      const slices = new SliceFolder(join(root, `damaged-${kind}`), 10_000)
      mkdirSync(slices.folder)
      for (const each of ['index', 'trace', 'trx_id'] as const)
        writeFileSync(slices.path(each, 0), recordedFile(`files/trace_${PREFIX[each]}${RANGE}.log`))
      const index = new SliceIndex()
      const whole = readFileSync(slices.path('index', 0))
      for (const { entry } of indexEntries(whole, '')) index.add(entry)
      const path = slices.path(kind, 0)
      const bytes = readFileSync(path)
      // The kind of the entry of block 120, or of its trace.
      const entries = indexEntries(whole, '')
      const at = entries.findIndex(({ entry }) => entry.kind === 'block' && entry.number === 120)
      bytes[kind === 'index' ? entries[at - 1]!.end : index.get(120)!.offset]! ^= 0x40
      writeFileSync(path, bytes)

      // The chain is behind it, so it does not come again: nothing is lost, and it is told what to do.
      const writer = new TraceWriter(slices, () => undefined)
      expect(() => writer.appendLib(140)).throw(
        /^the traces in .* are damaged after block 119: put .* back, or delete this folder$/,
      )
      await writer.close()
      expect(readFileSync(path).equals(bytes)).equal(true)

      // It comes again, as after a power loss.
      const again = new TraceWriter(slices, () => undefined)
      again.appendLib(120)
      expect(again.openIndex(0)!.get(119)).not.equal(undefined)
      expect(again.openIndex(0)!.get(120)).equal(undefined)
      await again.close()
    })
})
