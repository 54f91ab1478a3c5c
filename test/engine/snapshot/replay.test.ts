import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { blockId } from '../../../src/engine/crypto/digests.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { BlockLog } from '../../../src/engine/store/block_log.ts'
import { MemoryStore } from '../../../src/engine/store/memory_store.ts'
import { RocksStore } from '../../../src/engine/store/rocks_store.ts'
import { RECORDED_LOG, readRecordedChain, referenceLog } from '../chain/support/recorded_chain.ts'
import { temporaryFolder } from '../store/temporary_folder.ts'
import { chainJson, hashOf, refusalOf, snapshotOf, withChain } from './support/replayed_chain.ts'
import { RECORDED_BLOCKS, recordedSnapshot, referenceFile } from './support/snapshot_files.ts'

/** What the reference said of its state, by block. */
const INTEGRITY_HASHES: Record<number, string> = {
  0x24: 'aa18a8338ca6b24bb6ec555e0af6c4e7299259274adde58e1736687255741472',
  0x85: '44344d0757e8d830aa79b5b049fa76ddde03b31b2022ba14bf22bdb984781dad',
}

/** Of our own state after the last block, which the reference did not tell. */
const LAST_HASH = 'a6e5dc151e4b02d542af1e4723476d1fbb1ac69866c189fbf52e1761940e2a68'

const folder = temporaryFolder()
const recorded = readRecordedChain(RECORDED_LOG).blocks
const LAST_ID = toHex(blockId(recorded.at(-1)!.block))

function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

describe('snapshots of replayed chains', () => {
  for (const block_num of RECORDED_BLOCKS) {
    it(`block ${block_num}: the same bytes as the reference's`, async () => {
      const options = { replay: RECORDED_LOG, terminate_at_block: block_num }
      const { bytes } = await withChain(options, (chain) => snapshotOf(chain, folder))
      expect(bytes.equals(recordedSnapshot(block_num))).equal(true)
    })

    it(`block ${block_num}: a chain that starts from it continues with the same ids`, async () => {
      const snapshot = fileOf(`recorded-${block_num}.bin`, recordedSnapshot(block_num))
      await withChain({ snapshot, replay: RECORDED_LOG }, (chain) => {
        expect(chain.head.key).equal(LAST_ID)
        expect(chain.earliest_available_block_num).equal(block_num + 1)
        expect(chain.blockByNumber(block_num)).equal(undefined)
        const next = chain.packedBlockByNumber(block_num + 1)
        expect(next).deep.equal(Buffer.from(recorded[block_num]!.packed))
      })
    })
  }

  for (const [block_num, hash] of Object.entries(INTEGRITY_HASHES)) {
    it(`block ${block_num}: the integrity hash of the reference`, async () => {
      const options = { replay: RECORDED_LOG, terminate_at_block: Number(block_num) }
      expect(await withChain(options, hashOf)).equal(hash)
    })
  }

  // The transition to Savanna: blocks 40 to 60 have both kinds of state.
  for (const block_num of [1, 39, 40, 41, 60, 61]) {
    it(`block ${block_num}: a chain that starts from our own ends in the same state`, async () => {
      const options = { replay: RECORDED_LOG, terminate_at_block: block_num }
      const { path } = await withChain(options, (chain) => snapshotOf(chain, folder))
      await withChain({ snapshot: path, replay: RECORDED_LOG }, async (chain) => {
        expect(chain.head.key).equal(LAST_ID)
        expect(await hashOf(chain)).equal(LAST_HASH)
      })
    })
  }

  for (const version of [2, 3, 4, 5, 6, 8]) {
    it(`version ${version} has the state of the replay`, async function () {
      const replay = referenceLog('snapshots')
      const bytes = referenceFile(`snapshots/snap_v${version}.bin.gz`)
      if (!replay || !bytes) this.skip()
      const snapshot = fileOf(`v${version}.bin`, bytes)
      const ours = await withChain({ snapshot }, chainJson)
      const last = ours['eosio::chain::block_state']!.rows[0] as { bs_l: { block_num: number } }
      const terminate_at_block = last.bs_l.block_num
      expect(ours).deep.equal(await withChain({ replay, terminate_at_block }, chainJson))
    })
  }

  it('a schedule change of an old version is the one of the replay', async function () {
    const replay = referenceLog('prod_sched')
    const bytes = referenceFile('prod_sched/snap_v2_prod_sched.bin.gz')
    if (!replay || !bytes) this.skip()
    const snapshot = fileOf('v2_prod_sched.bin', bytes)
    const ours = await withChain({ snapshot }, chainJson)
    const last = ours['eosio::chain::block_state']!.rows[0] as { bs_l: { block_num: number } }
    const terminate_at_block = last.bs_l.block_num
    expect(ours).deep.equal(await withChain({ replay, terminate_at_block }, chainJson))
  })

  it('a chain of the reference continues from its snapshot in Savanna', async function () {
    const replay = referenceLog('consensus_blockchain')
    const bytes = referenceFile('consensus_blockchain/snapshot')
    if (!replay || !bytes) this.skip()
    const snapshot = fileOf('consensus.bin', bytes)
    const whole = await withChain({ replay }, (chain) => chain.head.key)
    await withChain({ snapshot, replay }, (chain) => {
      expect(chain.head.key).equal(whole)
    })
  })
})

describe('a data folder that starts from a snapshot', () => {
  const BLOCK = 0x67
  const snapshot = fileOf('folder.bin', recordedSnapshot(BLOCK))

  async function opened<T>(
    place: string,
    options: object,
    work: Parameters<typeof withChain<T>>[1],
  ): Promise<T> {
    const path = join(folder, place)
    const store = await RocksStore.open(join(path, 'state'))
    return withChain({ blocks_dir: join(path, 'blocks'), ...options }, work, store)
  }

  it('keeps state and log, and continues without the snapshot', async () => {
    const first = { snapshot, replay: RECORDED_LOG, terminate_at_block: BLOCK + 5 }
    await opened('kept', first, (chain) => expect(chain.head.block_num).equal(BLOCK + 5))
    const log = BlockLog.openReadOnly(join(folder, 'kept/blocks'))
    expect([log.first_block_num, log.head_block_num]).deep.equal([BLOCK + 1, BLOCK + 5])
    log.close()
    await opened('kept', {}, (chain) => expect(chain.head.block_num).equal(BLOCK + 5))
    await opened('kept', { replay: RECORDED_LOG }, (chain) => {
      expect(chain.head.key).equal(LAST_ID)
      expect(chain.earliest_available_block_num).equal(BLOCK + 1)
    })
  })

  it('is at the snapshot again when nothing followed', async () => {
    await opened('alone', { snapshot }, (chain) => expect(chain.head.block_num).equal(BLOCK))
    await opened('alone', {}, (chain) => {
      expect(chain.head.block_num).equal(BLOCK)
      expect(chain.head.has_block).equal(false)
    })
    await opened('alone', { replay: RECORDED_LOG }, (chain) =>
      expect(chain.head.key).equal(LAST_ID),
    )
  })

  it('must not have a state', async () => {
    await opened('taken', { replay: RECORDED_LOG, terminate_at_block: 3 }, () => undefined)
    const refusal = await refusalOf(opened('taken', { snapshot }, () => undefined))
    expect(refusal.errorName).equal('snapshot_exception')
    expect(refusal.message).match(/empty database/)
    await opened('taken', {}, (chain) => expect(chain.head.block_num).equal(3))
  })

  it('may have the blocks that belong to it', async () => {
    const blocks = join(folder, 'blocks/blocks')
    mkdirSync(blocks, { recursive: true })
    const log = BlockLog.open(blocks, readRecordedChain(RECORDED_LOG).genesis)
    for (const [i, { packed }] of recorded.slice(0, BLOCK + 3).entries())
      log.append([packed], i + 1)
    log.close()
    await opened('blocks', { snapshot }, (chain) => {
      expect(chain.head.block_num).equal(BLOCK + 3)
      expect(chain.last_irreversible.has_block).equal(true)
      expect(chain.earliest_available_block_num).equal(1)
    })
  })

  it('must not have others', async () => {
    const blocks = join(folder, 'short/blocks')
    mkdirSync(blocks, { recursive: true })
    const log = BlockLog.open(blocks, readRecordedChain(RECORDED_LOG).genesis)
    for (const [i, { packed }] of recorded.slice(0, 10).entries()) log.append([packed], i + 1)
    log.close()
    const refusal = await refusalOf(opened('short', { snapshot }, () => undefined))
    expect(refusal.errorName).equal('block_log_exception')
    expect(refusal.message).match(/does not contain the head block from the snapshot/)
  })

  it('stays empty when the snapshot is invalid', async () => {
    const bytes = recordedSnapshot(BLOCK)
    const cut = fileOf('cut.bin', bytes.subarray(0, bytes.length - 100))
    const refusal = await refusalOf(opened('empty', { snapshot: cut }, () => undefined))
    expect(refusal.errorName).equal('snapshot_exception')
    expect(existsSync(join(folder, 'empty/blocks/blocks.log'))).equal(false)
    await opened('empty', { replay: RECORDED_LOG, terminate_at_block: 2 }, (chain) =>
      expect(chain.head.block_num).equal(2),
    )
    expect(readdirSync(join(folder, 'empty/blocks'))).include('blocks.log')
  })

  it('is compared with the checksum beside it', async () => {
    const bytes = recordedSnapshot(BLOCK)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const whole = fileOf('whole.bin', bytes)
    writeFileSync(`${whole}.sha256`, `${digest}  whole.bin\n`)
    await opened('whole', { snapshot: whole }, (chain) => expect(chain.head.block_num).equal(BLOCK))
    // A bit of a row's value: the form of the file is right.
    const changed = Buffer.from(bytes)
    changed[Math.floor(bytes.length / 2)]! ^= 1
    for (const [i, [contents, text]] of [
      [changed, digest],
      [bytes, digest.replace(/./, 'x')],
      [bytes, ''],
    ].entries()) {
      const path = fileOf(`other${i}.bin`, contents as Buffer)
      for (const checksum of [`${path}.sha256`, join(dirname(path), `.other${i}.bin.sha256`)]) {
        writeFileSync(checksum, `${text as string}  other.bin\n`)
        const refusal = await refusalOf(opened('other', { snapshot: path }, () => undefined))
        expect(refusal.errorName).equal('snapshot_exception')
        expect(refusal.message).include(`is not the file of which ${checksum} has the checksum`)
        rmSync(checksum)
      }
    }
  })

  it('is of one chain', async function () {
    const other = referenceLog('snapshots')
    if (!other) this.skip()
    const store = new MemoryStore()
    const refusal = await refusalOf(withChain({ snapshot, replay: other }, () => undefined, store))
    expect(refusal.errorName).equal('chain_id_type_exception')
  })
})
