import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { unpackSafetyFile } from '../../../../src/engine/chain/voting/safety_file.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import type { ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import { setFinalizers } from '../support/privileged_contract.ts'
import { boot, makeBlock, openNode } from '../support/savanna_chain.ts'
import type { SavannaNode } from '../support/savanna_chain.ts'
import { blsKey, policyOf } from './support.ts'

/** Folders of a node that is closed and opened again. */
class NodeOnDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'savanna-'))
  store = new MemoryStore()
  private readonly options: ChainOptions = {
    blocks_dir: join(this.folder, 'blocks'),
    finalizers_dir: join(this.folder, 'finalizers'),
  }

  get safety_file(): string {
    return join(this.folder, 'finalizers', 'safety.dat')
  }

  open(seeds: readonly number[]): Promise<SavannaNode> {
    return openNode(seeds, this.options, this.store)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true })
  }
}

describe('restart under Savanna', function () {
  let disk: NodeOnDisk

  beforeEach(() => (disk = new NodeOnDisk()))
  afterEach(() => disk.remove())

  it('continues at every block, through the transition and a change of finalizers', async () => {
    let node = await disk.open([0, 1])
    const ids = [node.test.head.key]
    const reopen = async (): Promise<void> => {
      const { key, block_num } = node.test.head
      const final = node.test.chain.last_irreversible.block_num
      await node.test.chain.close()
      node = await disk.open([0, 1])
      const { chain } = node.test
      expect(chain.head.key).to.equal(key)
      expect(chain.last_irreversible.block_num).to.equal(final)
      expect(chain.db.revision).to.equal(block_num)
      node.test.setTime(chain.head.timestamp)
    }
    boot(node, [0])
    await reopen()
    for (let i = 0; i < 16; i++) {
      if (i === 5) node.test.push(setFinalizers(policyOf(0, [0, 1])))
      ids.push((await makeBlock(node)).key)
      await reopen()
    }
    const { chain } = node.test
    expect(chain.head.savanna_state.active_finalizer_policy.generation).to.equal(2)
    expect(chain.last_irreversible.block_num).to.equal(chain.head.block_num - 2)
    expect(chain.blockIdByNumber(5)).to.deep.equal(new Uint8Array(Buffer.from(ids[1]!, 'hex')))
    await chain.close()
  })

  it('starts from rows of any block, and from the log alone', async () => {
    const node = await disk.open([0])
    boot(node, [0])
    for (let i = 0; i < 8; i++) await makeBlock(node)
    const { key } = node.test.head
    await node.test.chain.close()
    // Rows gone: everything comes from the log and the journal.
    disk.store = new MemoryStore()
    const again = await disk.open([0])
    expect(again.test.head.key).to.equal(key)
    await makeBlock(again)
    await makeBlock(again)
    await makeBlock(again)
    expect(again.test.chain.last_irreversible.block_num).to.equal(again.test.head.block_num - 2)
    await again.test.chain.close()
  })

  it('stores the safety information of its finalizers before a vote is published', async () => {
    const node = await disk.open([0])
    boot(node, [0])
    expect(existsSync(disk.safety_file)).to.equal(false)
    const saved: string[] = []
    const { votes } = node
    node.test.chain.events.on('voteCast', () => {
      const records = unpackSafetyFile(new Uint8Array(readFileSync(disk.safety_file)), 'file')
      saved.push(toHex(records.get(toHex(blsKey(0)))!.safety.last_vote.block_id))
    })
    for (let i = 0; i < 3; i++) await makeBlock(node)
    expect(saved).to.deep.equal(votes.map((vote) => toHex(vote.block_id)))
    expect(saved).to.have.length(3)
    await node.test.chain.close()
  })

  it('casts its last vote again, the same, and no other', async () => {
    let node = await disk.open([0])
    boot(node, [0])
    for (let i = 0; i < 3; i++) await makeBlock(node)
    await node.test.chain.close()
    const before = readFileSync(disk.safety_file)
    node = await disk.open([0])
    node.test.setTime(node.test.head.timestamp)
    await node.test.chain.voted()
    expect(node.votes).to.deep.equal([])
    expect(readFileSync(disk.safety_file)).to.deep.equal(before)
    // The vote that was in memory alone is in the certificate of the next block.
    const block = await makeBlock(node)
    expect(block.savanna_state.core.links.at(-1)!.target_block_num).to.equal(block.block_num - 1)
    expect(node.votes).to.have.length(1)
    await node.test.chain.close()
  })

  it('keeps what it knows of finalizers that have no key here any more', async () => {
    let node = await disk.open([0])
    boot(node, [0])
    for (let i = 0; i < 2; i++) await makeBlock(node)
    await node.test.chain.close()
    const records = () => unpackSafetyFile(new Uint8Array(readFileSync(disk.safety_file)), 'file')
    const known = records().get(toHex(blsKey(0)))!
    node = await disk.open([1])
    node.test.push(setFinalizers(policyOf(0, [1])))
    for (let i = 0; i < 3; i++) await makeBlock(node)
    await node.test.chain.close()
    expect(existsSync(disk.safety_file)).to.equal(true)
    expect(records().get(toHex(blsKey(0)))).to.deep.equal(known)
  })

  it('refuses to start with a safety file that is not whole', async () => {
    const node = await disk.open([0])
    boot(node, [0])
    await makeBlock(node)
    await node.test.chain.close()
    const bytes = readFileSync(disk.safety_file)
    bytes[60]! ^= 1
    writeFileSync(disk.safety_file, bytes)
    await disk.open([0]).then(
      () => expect.fail('it started'),
      (error: ChainError) => expect(error.errorName).to.equal('finalizer_safety_exception'),
    )
    // Without finalizers nothing is lost.
    const watching = await disk.open([])
    await watching.test.chain.close()
  })
})
