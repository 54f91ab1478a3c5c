/** A node whose disk takes no more, by a limit of the system for the size of its files. */
import { expect } from 'chai'
import { execFileSync, spawnSync } from 'node:child_process'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'

describe('crash: the disk takes no more', function () {
  const folder = temporaryFolder()
  const options = ['--data-dir', folder.path, '--http-server-address', '127.0.0.1:0']
  before(function () {
    if (spawnSync('prlimit', ['--version']).error) this.skip()
  })
  after(() => folder.remove())

  const limit = (node: NodeProcess, bytes: number): void => {
    execFileSync('prlimit', ['--pid', String(node.child.pid), `--fsize=${bytes}`])
  }

  /** The node ends by itself and tells why, in lines of its log and one at the end. */
  async function expectEnd(node: NodeProcess, reason: string): Promise<void> {
    const { code, signal } = await node.ended
    expect([code, signal], node.stderr).deep.equal([1, null])
    expect(node.stderr).match(
      new RegExp(`error the disk failed, nothing more is written: ${reason}`),
    )
    expect(node.stderr.trimEnd().split('\n').at(-1)).match(new RegExp(`^pronghorn: ${reason}`))
    expect(node.stderr, 'a stack').not.match(/^ {4}at /m)
  }

  it('for the state of a new chain: the node ends, and the next start begins it', async () => {
    const node = new NodeProcess(options)
    limit(node, 1_000_000)
    await expectEnd(node, 'the state in .* cannot be written: .*File too large')
    const next = await NodeProcess.start(folder.path)
    await until('a block', async () => (await next.head()) > 5)
    await next.stop()
  })

  it('for a block: it is not announced, and the next start continues with the blocks before it', async () => {
    const node = await NodeProcess.start(folder.path)
    await until('a block', async () => (await node.head()) > 6)
    const { body } = await node.chain('get_info')
    const announced = body as { head_block_num: number; head_block_id: string }
    limit(node, 100)
    await expectEnd(node, 'cannot write .*reversible.log: EFBIG')
    const next = await NodeProcess.start(folder.path)
    expect(await next.head()).at.least(announced.head_block_num)
    const block = await next.chain('get_block_info', { block_num: announced.head_block_num })
    expect(block.body).include({ id: announced.head_block_id })
    const { code } = await next.stop()
    expect(code).equal(0)
  })
})
