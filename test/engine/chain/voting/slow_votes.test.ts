import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { VoteCandidates } from '../../../../src/engine/chain/voting/vote_candidates.ts'
import type { SavannaHeaderState } from '../../../../src/engine/chain/headers/savanna/header_state.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { boot, openNode } from '../support/savanna_chain.ts'
import type { SavannaNode } from '../support/savanna_chain.ts'
import { INLINE_BLS } from '../support/test_chain.ts'

/** Signs when it is told to: a thread that takes as long as the test wants. */
class SlowSigner {
  readonly verify = INLINE_BLS.verify
  private readonly waiting: (() => Promise<void>)[] = []

  get busy(): number {
    return this.waiting.length
  }

  sign(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve) => {
      this.waiting.push(async () => resolve(await INLINE_BLS.sign(secret, message)))
    })
  }

  async finish(): Promise<void> {
    for (const sign of this.waiting.splice(0)) await sign()
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const BLOCKS_PER_VOTE = 4
/** A vote waits for the one before it; the block that it is for is claimed when it is there, a vote on
 *  such a claim takes as long again, and until the next such vote nothing becomes final. */
const BOUND = 4 * BLOCKS_PER_VOTE + 1

describe('votes that take longer than blocks', function () {
  this.timeout(240_000)
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-slow-'))
  after(() => rmSync(folder, { recursive: true }))
  const options = { blocks_dir: join(folder, 'blocks'), finalizers_dir: join(folder, 'finalizers') }
  const store = new MemoryStore()

  const lag = ({ test }: SavannaNode): number =>
    test.head.block_num - test.chain.last_irreversible.block_num

  /** The vote in work is given away, and the next one begun. */
  async function oneVote({ votes }: SavannaNode, signer: SlowSigner): Promise<void> {
    const before = votes.length
    while (signer.busy === 0) await turn()
    await signer.finish()
    while (votes.length === before || signer.busy === 0) await turn()
  }

  /** Makes blocks with a vote for every few of them; answers how far finality was behind at most. */
  async function work(node: SavannaNode, signer: SlowSigner, blocks: number): Promise<number> {
    let most = 0
    for (let i = 1; i <= blocks; i++) {
      node.test.produce()
      expect(signer.busy).at.most(1)
      if (i % BLOCKS_PER_VOTE === 0) await oneVote(node, signer)
      else await turn()
      if (i > BOUND) most = Math.max(most, lag(node))
    }
    return most
  }

  it('leave finality a bounded number of blocks behind, after a restart too', async () => {
    const signer = new SlowSigner()
    const node = await openNode([0], options, store, { bls: signer })
    boot(node, [0])
    expect(await work(node, signer, 60)).at.most(BOUND)
    expect(node.votes.length).at.most(60 / BLOCKS_PER_VOTE + 1)
    const { key } = node.test.head
    const closing = node.test.chain.close()
    await signer.finish()
    await signer.finish()
    await closing

    const again = await openNode([0], options, store, { bls: signer })
    again.test.setTime(again.test.head.timestamp)
    expect(again.test.head.key).equal(key)
    expect(await work(again, signer, 40)).at.most(BOUND)
    const ending = again.test.chain.close()
    await signer.finish()
    await signer.finish()
    await ending
  })

  it('are for the last block of each branch, the best first, and for no more than 16', () => {
    const id = (number: number) => new Uint8Array(32).fill(number)
    const block = (number: number, previous: number, timestamp = number): SavannaHeaderState =>
      ({
        id: id(number),
        header: { previous: id(previous), timestamp },
        core: { links: [], refs: [], genesis_timestamp: 1 },
      }) as unknown as SavannaHeaderState
    const candidates = new VoteCandidates()
    for (const [number, previous] of [
      [2, 1],
      [3, 2],
      [4, 2],
      [5, 3],
    ]) {
      candidates.add(block(number!, previous!))
    }
    expect(candidates.take().map((state) => state.id[0])).deep.equal([5, 4])
    expect(candidates.take()).deep.equal([])
    for (let number = 1; number <= 40; number++) candidates.add(block(number, 0))
    expect(candidates.take().map((state) => state.id[0])).deep.equal(
      Array.from({ length: 16 }, (_, i) => 40 - i),
    )
  })
})
