import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { integrityHash } from '../../../src/engine/snapshot/integrity_hash.ts'
import { writeSnapshot } from '../../../src/engine/snapshot/write_snapshot.ts'
import {
  RECORDED_BLOCKS,
  jsonOf,
  load,
  recordedSnapshot,
  sourceOf,
  withFile,
} from './support/snapshot_files.ts'

/** What the reference said of its state at block 0x24. */
const INTEGRITY_HASH = 'aa18a8338ca6b24bb6ec555e0af6c4e7299259274adde58e1736687255741472'

describe('snapshots of the reference', () => {
  for (const block_num of RECORDED_BLOCKS) {
    it(`block ${block_num}: written again byte for byte`, async () => {
      const bytes = recordedSnapshot(block_num)
      const source = sourceOf(await load(bytes))
      const written = await withFile(new Uint8Array(0), async (path) => {
        await writeSnapshot(source, path)
        return readFileSync(path)
      })
      expect(written.equals(bytes)).equal(true)
    })

    it(`block ${block_num}: JSON is that of the reference's converter`, async () => {
      const text = jsonOf(sourceOf(await load(recordedSnapshot(block_num))))
      expect(text === recordedSnapshot(block_num, 'json').toString()).equal(true)
    })
  }

  it('gives the integrity hash of the reference', async () => {
    const loaded = await load(recordedSnapshot(0x24))
    expect(toHex(await integrityHash(sourceOf(loaded)))).equal(INTEGRITY_HASH)
  })

  it('leaves expired transactions out, as the reference removes them first', async () => {
    const loaded = await load(recordedSnapshot(0x24))
    const expirations = [...loaded.db.transaction.all()].map((row) => row.expiration)
    const middle = expirations.sort((a, b) => a - b)[200]!
    const block_time_us = middle * 1_000_000
    const at = JSON.parse(jsonOf({ ...sourceOf(loaded), block_time_us })) as Sections
    const left = at['eosio::chain::transaction_object']!.num_rows
    expect(left).equal(expirations.filter((expiration) => expiration >= middle).length)
    expect(left).lessThan(expirations.length)
  })

  it('has rows of tables that are empty in the recorded ones', async () => {
    const loaded = await load(recordedSnapshot(0x24))
    const { db } = loaded
    const trx_id = (byte: number) => new Uint8Array(32).fill(byte)
    for (const sender_id of [1n, 2n ** 128n - 1n]) {
      db.generated_transaction.create({
        trx_id: trx_id(Number(sender_id & 0xffn)),
        sender: 5n,
        sender_id,
        payer: 6n,
        delay_until: 1_000_000,
        expiration: 2_500_000,
        published: 500_000,
        packed_trx: Uint8Array.of(1, 2, 3, 255),
      })
    }
    db.account_ram_correction.create({ name: 5n, ram_correction: 2n ** 40n })
    const text = jsonOf(sourceOf(loaded))
    const sections = JSON.parse(text) as Sections
    expect(sections['eosio::chain::generated_transaction_object']!.rows[1]).deep.equal({
      trx_id: 'ff'.repeat(32),
      sender: '............5',
      sender_id: '340282366920938463463374607431768211455',
      payer: '............a',
      delay_until: '1970-01-01T00:00:01.000',
      expiration: '1970-01-01T00:00:02.500',
      published: '1970-01-01T00:00:00.500',
      packed_trx: 'AQID/w==',
    })
    expect(sections['eosio::chain::account_ram_correction_object']!.rows).deep.equal([
      { name: '............5', ram_correction: '1099511627776' },
    ])
    const source = sourceOf(loaded)
    const again = await withFile(new Uint8Array(0), async (path) => {
      await writeSnapshot(source, path)
      return load(readFileSync(path))
    })
    expect(jsonOf(sourceOf(again)) === text).equal(true)
  })
})

type Sections = Record<string, { num_rows: number; rows: unknown[] }>
