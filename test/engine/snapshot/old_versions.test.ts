import { expect } from 'chai'
import { jsonOf, load, referenceFile, sourceOf } from './support/snapshot_files.ts'

type Sections = Record<string, { num_rows: number; rows: unknown[] }>

/** A block state of the current version that has nothing in it. */
const NO_BLOCK_STATE = Uint8Array.of(0, 0)

async function rowsOf(bytes: Buffer): Promise<Sections> {
  const loaded = await load(bytes)
  const json = jsonOf(sourceOf({ ...loaded, block_state: NO_BLOCK_STATE }))
  return JSON.parse(json) as Sections
}

/** Sections whose rows say which version they are of, or are kept elsewhere since. */
const OF_VERSION = new Set([
  'magic_number',
  'version',
  'contract_tables',
  'eosio::chain::chain_snapshot_header',
  'eosio::chain::block_state',
])

/** The limits of a key-value database were in global properties for a while. */
function withoutKvLimits(row: unknown): unknown {
  if (typeof row !== 'object') return row
  const { kv_configuration, ...rest } = row as Record<string, unknown>
  void kv_configuration
  return rest
}

describe('snapshots of older releases', () => {
  for (const version of [2, 3, 4, 5, 6, 8]) {
    it(`version ${version} is read as the reference's converter reads it`, async function () {
      const bytes = referenceFile(`snapshots/snap_v${version}.bin.gz`)
      const expected = referenceFile(`snapshots/snap_v${version}.bin.json.gz`)
      if (!bytes || !expected) this.skip()
      const rows = await rowsOf(bytes)
      let compared = 0
      for (const [name, section] of Object.entries(JSON.parse(expected.toString()) as Sections)) {
        if (OF_VERSION.has(name)) continue
        expect(rows[name]!.rows, name).deep.equal(section.rows.map(withoutKvLimits))
        compared++
      }
      expect(compared).greaterThan(15)
    })
  }

  it('every version gives the same rows', async function () {
    const newest = referenceFile('snapshots/snap_v8.bin.gz')
    if (!newest) this.skip()
    const expected = await rowsOf(newest)
    for (const version of [2, 3, 4, 5, 6]) {
      const rows = await rowsOf(referenceFile(`snapshots/snap_v${version}.bin.gz`)!)
      expect(rows, `version ${version}`).deep.equal(expected)
    }
  })

  it('reads a chain with a schedule change', async function () {
    const bytes = referenceFile('prod_sched/snap_v2_prod_sched.bin.gz')
    const expected = referenceFile('prod_sched/snap_v2_prod_sched.bin.json.gz')
    if (!bytes || !expected) this.skip()
    const rows = await rowsOf(bytes)
    const sections = JSON.parse(expected.toString()) as Sections
    for (const [name, section] of Object.entries(sections)) {
      if (OF_VERSION.has(name)) continue
      expect(rows[name]!.rows, name).deep.equal(section.rows.map(withoutKvLimits))
    }
  })
})
