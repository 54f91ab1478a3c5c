import { expect } from 'chai'
import { MemoryArchive, MemoryJournal } from '../../../../src/engine/chain/storage/block_files.ts'
import { BlockWriter } from '../../../../src/engine/chain/storage/block_writer.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { NoStore } from '../../../../src/engine/store/no_store.ts'

/** A journal that keeps what each write gave it. */
class WrittenJournal extends MemoryJournal {
  readonly writes: Uint8Array[][] = []

  override append(records: readonly { packed: Uint8Array }[] = []): void {
    this.writes.push(records.map(({ packed }) => packed))
  }
}

function block(key: string, packed: () => Uint8Array): BlockState {
  return {
    key,
    get packed_block() {
      return packed()
    },
  } as BlockState
}

const whole = (number: number): BlockState => block(`${number}`, () => Uint8Array.of(number))

describe('writer of blocks', () => {
  const open = () => {
    const journal = new WrittenJournal()
    const failures: unknown[] = []
    const options = { syncs_blocks: true, onFailure: (error: unknown) => void failures.push(error) }
    return {
      writer: new BlockWriter(new MemoryArchive(), journal, new NoStore(), options),
      journal,
      failures,
    }
  }

  it('writes what is accepted together once, also if the work fails, and then one by one', () => {
    const { writer, journal, failures } = open()
    const work = (): void => {
      writer.accept(whole(1))
      writer.accept(whole(2))
      throw new Error('the work fails')
    }
    expect(() => writer.inOneSync(work)).throw('the work fails')
    writer.accept(whole(2))
    writer.accept(whole(3))
    expect(journal.writes).deep.equal([[Uint8Array.of(1), Uint8Array.of(2)], [Uint8Array.of(3)]])
    expect(failures).deep.equal([])
  })

  it('ends with an error if one of them cannot be signed, and writes nothing more', () => {
    const { writer, journal, failures } = open()
    const unsigned = block('2', () => {
      throw new Error('no signature')
    })
    const work = (): void => {
      writer.accept(whole(1))
      writer.accept(unsigned)
    }
    expect(() => writer.inOneSync(work)).throw('no signature')
    expect(failures).have.length(1)
    expect(() => writer.accept(whole(3))).throw('no signature')
    expect(journal.writes).deep.equal([])
  })
})
