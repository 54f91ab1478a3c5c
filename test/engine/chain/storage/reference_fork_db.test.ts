/** Reversible blocks that nodeos leaves. The file is written here as the reference's sources say. */
import { expect } from 'chai'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { packSavannaHeader } from '../../../../src/engine/chain/headers/savanna/pack_header_state.ts'
import { packValid } from '../../../../src/engine/chain/headers/savanna/valid_structure.ts'
import { packHeaderState } from '../../../../src/engine/chain/headers/legacy/pack_header_state.ts'
import { unpackForkDatabase } from '../../../../src/engine/chain/storage/reference_fork_db.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { packFinalizerPolicy, packQcSignature } from '../../../../src/engine/protocol/finality.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { boot, makeBlock, openNode } from '../support/savanna_chain.ts'
import { TestChain } from '../support/test_chain.ts'

const DIGEST = new Uint8Array(32).fill(0xdd)

function packLegacy(w: Writer, state: BlockState): void {
  packHeaderState(w, state.legacy!)
  w.optional(state.has_block ? state.packed_block : undefined, (w, block) => w.raw(block))
  w.bool(state.validated)
  w.optional(state.savanna && DIGEST, (w, digest) => w.raw(digest))
}

function packVotes(w: Writer): void {
  w.optional({ sig: new Uint8Array(192).fill(3) }, packQcSignature)
  for (let i = 0; i < 5; i++) w.u64(BigInt(i))
  for (let i = 0; i < 2; i++) {
    w.varuint32(3)
    w.u8(5)
    w.varuint32(192)
    w.raw(new Uint8Array(192).fill(4))
  }
}

function packSavanna(w: Writer, state: BlockState): void {
  const { active_finalizer_policy, pending_finalizer_policy } = state.savanna_state
  packSavannaHeader(w, state.savanna_state)
  w.optional(state.has_block ? state.packed_block : undefined, (w, block) => w.raw(block))
  w.raw(DIGEST)
  w.raw(new Uint8Array(36).fill(0xee))
  w.optional(active_finalizer_policy, packFinalizerPolicy)
  w.optional(pending_finalizer_policy?.[1], packFinalizerPolicy)
  packVotes(w)
  w.optional(pending_finalizer_policy, packVotes)
  w.optional(state.valid, packValid)
  w.bool(state.validated)
}

/** The file for a root and the blocks on it. */
function forkDatabase(root: BlockState, blocks: readonly BlockState[]): Buffer {
  const w = new Writer(4096)
  w.u32(0x30510fdb)
  w.u32(3)
  const legacy = blocks.filter((block) => block.legacy)
  const savanna = root.savanna ? blocks.filter((block) => block.savanna) : []
  w.u32(root.legacy ? (root.savanna ? 2 : 0) : 1)
  for (const [used, list, pack] of [
    [root.legacy, legacy, packLegacy],
    [root.savanna, savanna, packSavanna],
  ] as const) {
    w.bool(used !== undefined)
    if (used === undefined) continue
    w.raw(DIGEST)
    pack(w, root)
    w.array(list, pack)
  }
  return Buffer.from(w.bytes())
}

/** The last irreversible block and those after it. */
function reversible({ chain }: TestChain): [BlockState, BlockState[]] {
  const blocks: BlockState[] = []
  for (let at = chain.head; at.key !== chain.last_irreversible.key;) {
    blocks.unshift(at)
    at = chain.blockState(at.previous)!
  }
  return [chain.last_irreversible, blocks]
}

describe('the fork database of nodeos', function () {
  this.timeout(240_000)
  const root = mkdtempSync(join(tmpdir(), 'pronghorn-forkdb-'))
  after(() => rmSync(root, { recursive: true }))
  let count = 0

  /** Folders as nodeos leaves them: without a state and a log of reversible blocks of this program. */
  function fromNodeos(folder: string, file: Buffer): string {
    const to = join(root, `moved${count++}`)
    cpSync(folder, to, { recursive: true })
    rmSync(join(to, 'blocks/reversible.log'))
    mkdirSync(join(to, 'blocks/reversible'))
    writeFileSync(join(to, 'blocks/reversible/fork_db.dat'), file)
    return to
  }
  const optionsOf = (folder: string) => ({
    blocks_dir: join(folder, 'blocks'),
    finalizers_dir: join(folder, 'finalizers'),
  })
  const legacy = join(root, 'legacy')
  const savanna = join(root, 'savanna')
  let files: { legacy: Buffer; savanna: Buffer }
  let heads: { legacy: string; savanna: string }

  before(async () => {
    const old = await TestChain.open(optionsOf(legacy), new MemoryStore())
    old.createAccount('alice')
    old.produce(4)
    const node = await openNode([0], optionsOf(savanna))
    boot(node, [0])
    for (let i = 0; i < 5; i++) await makeBlock(node)
    files = {
      legacy: forkDatabase(...reversible(old)),
      savanna: forkDatabase(...reversible(node.test)),
    }
    heads = { legacy: old.head.key, savanna: node.test.head.key }
    await old.chain.close()
    await node.test.chain.close()
  })

  it('is read once, and its blocks are kept', async () => {
    const folder = fromNodeos(legacy, files.legacy)
    const store = new MemoryStore()
    const test = await TestChain.open(optionsOf(folder), store)
    expect(test.head.key).equal(heads.legacy)
    await test.chain.close()
    const file = join(folder, 'blocks/reversible/fork_db.dat')
    expect(existsSync(file)).equal(false)
    expect(readFileSync(`${file}.taken`)).deep.equal(files.legacy)
    const again = await TestChain.open(optionsOf(folder), store)
    expect(again.head.key).equal(heads.legacy)
    again.produce(2)
    await again.chain.close()
  })

  it('lets finalizers keep their safety information: no block that they voted on is lost', async () => {
    const folder = fromNodeos(savanna, files.savanna)
    const node = await openNode([0], optionsOf(folder), new MemoryStore())
    expect(node.test.head.key).equal(heads.savanna)
    const { block_num } = node.test.head
    for (let i = 0; i < 4; i++) await makeBlock(node)
    expect(node.test.chain.last_irreversible.block_num).greaterThan(block_num)
    await node.test.chain.close()
  })

  it('is missed where finalizers voted on its blocks', async () => {
    const folder = fromNodeos(savanna, files.savanna)
    rmSync(join(folder, 'blocks/reversible'), { recursive: true })
    const refused = await openNode([0], optionsOf(folder), new MemoryStore()).catch(
      (error: ChainError) => error.message,
    )
    expect(refused).match(/safety.dat refers to block \d+ .*--lost-blocks/)
  })

  it('is refused in one line when it is damaged, or nothing that matters is', async function () {
    const { savanna: whole } = files
    const expected = unpackForkDatabase(new Uint8Array(whole), 'file').blocks.map(({ id }) => id)
    for (let at = 0; at < whole.length; at += 3) {
      const damaged = Uint8Array.from(whole)
      damaged[at]! ^= 1 << (at % 8)
      try {
        const { blocks } = unpackForkDatabase(damaged, 'file')
        expect(
          blocks.map(({ id }) => id),
          `byte ${at}`,
        ).deep.equal(expected)
      } catch (error) {
        if (!(error instanceof ChainError)) throw new Error(`byte ${at}`, { cause: error })
        expect(error.errorName).equal('fork_database_exception')
        expect(error.message).match(/^[^\n]*: put a right copy of it there, or move it away/)
      }
    }
    // What no id covers, the signatures do.
    const { packed } = unpackForkDatabase(new Uint8Array(whole), 'file').blocks.at(-1)!
    const at = whole.indexOf(packed) + packed.length - 3
    const damaged = Buffer.from(whole)
    damaged[at]! ^= 4
    const folder = fromNodeos(savanna, damaged)
    const refused = await openNode([0], optionsOf(folder), new MemoryStore()).catch(
      (error: ChainError) => error.message,
    )
    expect(refused).match(/block \d+ [0-9a-f]{64} of .*fork_db.dat is refused|is damaged/)
  })

  it('is refused in other versions, cut off, and where it does not follow the log', async () => {
    const version = (number: number) => {
      const bytes = Buffer.from(files.legacy)
      bytes.writeUInt32LE(number, 4)
      return bytes
    }
    const cases: [Buffer, RegExp][] = [
      [version(1), /has version 1; only version 3 is supported/],
      [version(2), /has version 2; only version 3 is supported/],
      [version(4), /has version 4; only version 3 is supported/],
      [files.legacy.subarray(0, -1), /is damaged/],
      [Buffer.concat([files.legacy, Buffer.alloc(1)]), /does not end where it should/],
      [Buffer.alloc(50, 7), /is not a fork database of nodeos/],
      [Buffer.alloc(0), /is damaged/],
    ]
    for (const [file, message] of cases) {
      const folder = fromNodeos(legacy, file)
      const refused = await TestChain.open(optionsOf(folder), new MemoryStore()).catch(
        (error: ChainError) => error,
      )
      expect(refused).instanceOf(ChainError)
      expect((refused as ChainError).message).match(message)
      expect(readFileSync(join(folder, 'blocks/reversible/fork_db.dat'))).deep.equal(file)
    }
    const folder = fromNodeos(legacy, files.legacy)
    for (const name of ['blocks.log', 'blocks.index']) rmSync(join(folder, 'blocks', name))
    const refused = await TestChain.open(optionsOf(folder), new MemoryStore()).catch(
      (error: ChainError) => error.message,
    )
    expect(refused).match(/blocks.log ends at block 1, but .*fork_db.dat begins after block 4/)
  })
})
