import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { boot, makeBlock, openNode } from '../support/savanna_chain.ts'

describe('votes that cannot be written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-votes-'))
  after(() => rmSync(folder, { recursive: true }))

  it('are not published, and are cast when they are requested again', async () => {
    const in_the_way = join(folder, 'file')
    writeFileSync(in_the_way, '')
    const node = await openNode([0], { finalizers_dir: join(in_the_way, 'finalizers') })
    const { test, votes } = node
    boot(node, [0])
    await makeBlock(node)
    const last = await makeBlock(node)
    expect(votes).deep.equal([])
    const stuck = test.chain.last_irreversible.block_num

    test.chain.retryVotes()
    await test.chain.voted()
    expect(votes).deep.equal([])

    rmSync(in_the_way)
    test.chain.retryVotes()
    await test.chain.voted()
    expect(votes.map(({ block_id }) => block_id)).deep.equal([last.id])
    test.chain.retryVotes()
    await test.chain.voted()
    expect(votes).length(1)
    for (let i = 0; i < 4; i++) await makeBlock(node)
    expect(test.chain.last_irreversible.block_num).greaterThan(stuck + 1)
    await test.chain.close()
  })
})
