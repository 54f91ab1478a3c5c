import { expect } from 'chai'
import type { AppliedBlock } from '../../../../src/engine/chain/chain_events.ts'
import { HistoryWriter } from '../../../../src/engine/services/state_history/history_writer.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'

/** A block before Savanna, as far as finality data are concerned. */
function legacyBlock(block_num: number): AppliedBlock {
  return { block: { block_num, savanna: undefined } } as unknown as AppliedBlock
}

function idOf(block_num: number): Uint8Array {
  const id = Buffer.alloc(32)
  id.writeUInt32BE(block_num)
  return new Uint8Array(id)
}

describe('what is written to the history logs', () => {
  let writer: HistoryWriter

  beforeEach(() => {
    const settings = {
      folder: temporaryFolder(),
      parts: { traces: false, deltas: false, finality_data: true },
      debug_traces: false,
      delete_first: false,
      retain_blocks: undefined,
      split: undefined,
      addresses: [],
    }
    const onFailure = (error: unknown): void => {
      throw error
    }
    writer = new HistoryWriter(settings, () => undefined, onFailure)
    for (const n of [77, 78]) {
      const block = { id: idOf(n), previous: idOf(n - 1) }
      writer.finality_data!.append(block, () => [new Uint8Array(9)])
    }
  })

  afterEach(() => writer.close())

  it('finality data stay when blocks before Savanna are replayed', () => {
    for (const n of [2, 75, 76]) writer.write(legacyBlock(n))
    expect(writer.finality_data!.range).deep.equal({ begin: 77, end: 79 })
  })

  it('finality data end with a fork to a block before Savanna', () => {
    writer.write(legacyBlock(77))
    expect(writer.finality_data!.is_empty).equal(true)
  })
})
