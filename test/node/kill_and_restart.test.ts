/** The program as it is built and installed: it starts, is killed, and goes on where it was. */
import { expect } from 'chai'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'

describe('node: a kill and a restart', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('lose no block that was announced, also of the state that is stored', async () => {
    let head = 0
    for (let round = 0; round < 2; round++) {
      const node = await NodeProcess.start(folder.path)
      try {
        expect(await node.head()).at.least(head)
        const irreversible = async () =>
          ((await node.chain('get_info')).body as { last_irreversible_block_num: number })
            .last_irreversible_block_num
        const before = await irreversible()
        await until('irreversible blocks', async () => (await irreversible()) > before + 2)
        head = await node.head()
      } finally {
        await node.kill()
      }
    }
    const node = await NodeProcess.start(folder.path)
    expect(await node.head()).at.least(head)
    expect((await node.stop()).code).equal(0)
    // Newer versions of Node.js complain there about threads that end too early.
    expect(node.stderr).not.include('Warning:')
  })
})
