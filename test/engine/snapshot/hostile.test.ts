import { tmpdir } from 'node:os'
import { expect } from 'chai'
import fc from 'fast-check'
import { ChainError } from '../../../src/engine/errors.ts'
import { SnapshotReader } from '../../../src/engine/snapshot/snapshot_reader.ts'
import { load, recordedSnapshot } from './support/snapshot_files.ts'

const WHOLE = recordedSnapshot(0x24)

async function refusal(bytes: Uint8Array): Promise<ChainError> {
  try {
    await load(bytes)
  } catch (error) {
    expect(error, String((error as Error).stack)).instanceOf(ChainError)
    return error as ChainError
  }
  return expect.fail('the snapshot was read')
}

async function expectRefused(bytes: Uint8Array, text: string): Promise<void> {
  const error = await refusal(bytes)
  expect(error.errorName).match(/^snapshot_(validation_)?exception$/)
  expect(error.message).include(text)
}

/** A copy with a number at a place. */
function withU64(position: number, value: bigint): Buffer {
  const bytes = Buffer.from(WHOLE)
  bytes.writeBigUInt64LE(value, position)
  return bytes
}

/** Where a section begins: its size, its rows, its name. */
function sectionAt(name: string): number {
  return WHOLE.indexOf(`eosio::chain::${name}\0`) - 16
}

/** Where the rows of a section begin. */
function rowsAt(name: string): number {
  return sectionAt(name) + 16 + `eosio::chain::${name}`.length + 1
}

describe('hostile snapshot files', () => {
  it('is not a snapshot', async () => {
    await expectRefused(new Uint8Array(0), 'cut off')
    await expectRefused(Buffer.from('{"magic_number":810616144}'), 'unexpected magic number')
    const version = Buffer.from(WHOLE)
    version[4] = 2
    await expectRefused(version, 'Expected : 1, Got: 2')
  })

  it('is not a file', () => {
    expect(() => new SnapshotReader(tmpdir())).throw(ChainError, 'is not a file')
    expect(() => new SnapshotReader('/no/such/file')).throw(ChainError, 'Failed to open snapshot')
  })

  for (const [version, text] of [
    [0, 'between 2 and 8'],
    [1, 'between 2 and 8'],
    [7, 'v7 snapshots are not supported'],
    [9, 'between 2 and 8'],
    [0xff, 'between 2 and 8'],
  ] as const) {
    it(`has rows of version ${version}`, async () => {
      const bytes = Buffer.from(WHOLE)
      bytes[rowsAt('chain_snapshot_header')] = version
      await expectRefused(bytes, text)
    })
  }

  it('is cut off anywhere', async () => {
    const places = [8, 15, 20, 100, 5000, sectionAt('key_value_object') + 30, WHOLE.length - 1]
    for (const place of places)
      await expectRefused(WHOLE.subarray(0, place), 'cut off').catch(() =>
        expectRefused(WHOLE.subarray(0, place), 'does not fit'),
      )
  })

  it('promises more than the file has', async () => {
    for (const huge of [(1n << 20n) << 20n, 2n ** 63n, 2n ** 64n - 2n]) {
      await expectRefused(withU64(sectionAt('account_object'), huge), 'does not fit')
      await expectRefused(withU64(sectionAt('account_object') + 8, huge), 'too few for')
    }
    await expectRefused(withU64(8, 3n), 'does not fit')
  })

  it('has another number of rows than it says', async () => {
    await expectRefused(withU64(sectionAt('account_object') + 8, 14n), 'too many')
    await expectRefused(withU64(sectionAt('account_object') + 8, 16n), 'account_object')
    await expectRefused(withU64(sectionAt('key_value_object') + 8, 228n), 'too few rows')
  })

  it('has rows of tables that are not there', async () => {
    const first = rowsAt('index64_object')
    await expectRefused(withU64(first, 999n), 'rows of table 999')
    await expectRefused(withU64(first, 2n ** 64n - 1n), 'rows of table -1')
  })

  it('has the same row twice', async () => {
    const bytes = Buffer.from(WHOLE)
    const limits = rowsAt('resource_limits::resource_limits_object')
    bytes.copyWithin(limits + 32, limits, limits + 32)
    await expectRefused(bytes, 'uniqueness')
  })

  it('has a time beyond all times', async () => {
    const usage = rowsAt('account_metadata_object') + 8 + 4 * 8 + 32
    await expectRefused(withU64(usage, 2n ** 60n), 'safe integers')
  })

  it('lacks a section, or has it twice', async () => {
    const name = WHOLE.indexOf('code_object\0')
    const lacking = Buffer.from(WHOLE)
    lacking.write('cod2', name, 'latin1')
    await expectRefused(lacking, 'no section named eosio::chain::code_object')
    const start = sectionAt('code_object')
    const end = start + 8 + Number(WHOLE.readBigUInt64LE(start))
    const twice = Buffer.concat([WHOLE.subarray(0, end), WHOLE.subarray(start, end)])
    await expectRefused(Buffer.concat([twice, WHOLE.subarray(end)]), 'two sections')
  })

  it('lacks what every state has', async () => {
    const code = Buffer.from(WHOLE)
    code[rowsAt('code_object')]! ^= 1
    await expectRefused(code, 'is missing')
    const owner = Buffer.from(WHOLE)
    owner[rowsAt('resource_limits::resource_usage_object')]! ^= 1
    await expectRefused(owner, 'lacks rows')
  })

  it('is damaged anywhere: it is refused, or it is read', async () => {
    const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) })
    // Most of the file is ids of blocks; the rest is more worth the trouble.
    const ids = { start: rowsAt('block_summary_object'), end: sectionAt('transaction_object') }
    const property = fc.asyncProperty(
      fc.array(damage, { minLength: 1, maxLength: 3 }),
      async (all) => {
        const bytes = Buffer.from(WHOLE)
        for (const { at, byte } of all) {
          const place = Math.floor(at * (bytes.length - 1 - ids.end + ids.start))
          bytes[place < ids.start ? place : place + ids.end - ids.start] = byte
        }
        await load(bytes).catch((error: unknown) => {
          expect(error, String((error as Error).stack)).instanceOf(ChainError)
        })
      },
    )
    await fc.assert(property, { numRuns: 25 })
  })
})
