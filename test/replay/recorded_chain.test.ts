/**
 * The recorded chain, block by block: what execution makes of each block must be the block, and the
 * states on the way must be those that the reference wrote down.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { blockId } from '../../src/engine/crypto/digests.ts'
import { toHex } from '../../src/engine/protocol/hex.ts'
import { RECORDED_LOG, readRecordedChain } from '../engine/chain/support/recorded_chain.ts'
import { hashOf, withChain } from '../engine/snapshot/support/replayed_chain.ts'
import { RECORDED_BLOCKS, recordedSnapshot } from '../engine/snapshot/support/snapshot_files.ts'
import { recordedLines } from './support/recording.ts'
import { differencesOf, rowsOfChain, rowsOfJson } from './support/state_rows.ts'
import type { StateRows } from './support/state_rows.ts'

/** Integrity hashes that the reference told, by the id of the head that they are of. */
function recordedHashes(): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const { path, response } of recordedLines()) {
    if (path !== '/v1/producer/get_integrity_hash') continue
    const { head_block_id, integrity_hash } = JSON.parse(response!) as Record<string, string>
    hashes.set(head_block_id!, integrity_hash!)
  }
  return hashes
}

const ACCOUNT_ROWS = [
  'eosio::chain::resource_limits::resource_usage_object',
  'eosio::chain::resource_limits::resource_limits_object',
]

describe('the recorded chain', () => {
  it('is made again, with every id, root and receipt, every row and every integrity hash', async () => {
    const { genesis, blocks } = readRecordedChain(RECORDED_LOG)
    const hashes = recordedHashes()
    const differences: string[] = []
    const compared: number[] = []
    await withChain({ genesis }, async (chain) => {
      for (const { block, packed } of blocks.slice(1)) {
        // A block is refused unless the header that its execution gives is its own.
        chain.pushBlock(packed)
        const { block_num, key } = chain.head
        expect(key).to.equal(toHex(blockId(block)))
        const hash = hashes.get(key)
        if (hash !== undefined) {
          expect(await hashOf(chain), `integrity hash of block ${block_num}`).to.equal(hash)
          hashes.delete(key)
        }
        if (!RECORDED_BLOCKS.includes(block_num)) continue
        const theirs = rowsOfJson(recordedSnapshot(block_num, 'json'))
        expectUsage(theirs)
        compared.push(block_num)
        const found = differencesOf(rowsOfChain(chain), theirs)
        differences.push(...found.map((difference) => `block ${block_num}: ${difference}`))
      }
      expect(chain.head.is_proper_savanna).to.equal(true)
    })
    expect(differences).to.deep.equal([])
    expect(compared).to.deep.equal(RECORDED_BLOCKS)
    expect([...hashes.keys()].map(blockNumOf)).to.deep.equal(AFTER_THE_LOG)
  })

  it('is the one of the recorded answers', () => {
    const reads = gunzipSync(
      readFileSync(new URL('../fixtures/recordings/one/reads.jsonl.gz', import.meta.url)),
    ).toString()
    const { blocks } = readRecordedChain(RECORDED_LOG)
    expect(reads).to.include(toHex(blockId(blocks.at(-1)!.block)))
  })
})

/** Heads after the last block of the log, which was not irreversible yet. */
const AFTER_THE_LOG = [142]

const blockNumOf = (id: string): number => parseInt(id.slice(0, 8), 16)

/** What the comparison of rows is worth for RAM, NET and CPU: every account is in it. */
function expectUsage(rows: StateRows): void {
  const accounts = rows['eosio::chain::account_object']!.length
  for (const name of ACCOUNT_ROWS) expect(rows[name]).to.have.length(accounts)
}
