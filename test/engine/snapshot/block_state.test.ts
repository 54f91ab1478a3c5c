import { expect } from 'chai'
import fc from 'fast-check'
import { unpackSnapshotState } from '../../../src/engine/chain/storage/snapshot_block_state.ts'
import { ChainError } from '../../../src/engine/errors.ts'
import { load, recordedSnapshot } from './support/snapshot_files.ts'

describe('block states of snapshots', () => {
  for (const block_num of [0x24, 0x67]) {
    it(`block ${block_num}: damaged bytes are refused, or read`, async () => {
      const { version, block_state } = await load(recordedSnapshot(block_num))
      const damage = fc.array(fc.tuple(fc.nat(block_state.length - 1), fc.nat(255)), {
        minLength: 1,
        maxLength: 3,
      })
      const property = fc.property(damage, fc.boolean(), (places, cut) => {
        const bytes = Uint8Array.from(block_state)
        for (const [at, byte] of places) bytes[at] = byte
        const given = cut ? bytes.subarray(0, places[0]![0]) : bytes
        try {
          unpackSnapshotState(version, given)
        } catch (error) {
          expect(error, (error as Error).stack!).instanceOf(ChainError)
          expect((error as ChainError).details.map(({ message }) => message).join()).match(
            /the block state of the snapshot/,
          )
        }
      })
      // A Merkle tree of more digests than can be counted.
      const examples: [[number, number][], boolean][] = [[[[1488, 32]], false]]
      fc.assert(property, { numRuns: 2000, examples })
    })
  }

  it('are refused by name where a Merkle tree has more digests than a chain has', async () => {
    const { version, block_state } = await load(recordedSnapshot(0x67))
    const damaged = Uint8Array.from(block_state)
    // A byte of the number of digests, which the property above finds.
    damaged[1488] = 32
    expect(() => unpackSnapshotState(version, damaged)).throw(
      ChainError,
      'the block state of the snapshot cannot be read: a Merkle tree has too many digests',
    )
  })

  it('are of one block, the one that they have the header of', async () => {
    const { version, block_state } = await load(recordedSnapshot(0x24))
    const other = Uint8Array.from(block_state)
    other[1]! ^= 1
    expect(() => unpackSnapshotState(version, other)).throw(ChainError, 'of different blocks')
    expect(() => unpackSnapshotState(version, Uint8Array.of(0, 0))).throw(ChainError, 'block state')
  })
})
