import { join } from 'node:path'
import { expect } from 'chai'
import { SliceFolder } from '../../../../src/engine/services/trace_api/slice_files.ts'
import { TraceWriter } from '../../../../src/engine/services/trace_api/trace_writer.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'

const STRIDE = 10

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
})
