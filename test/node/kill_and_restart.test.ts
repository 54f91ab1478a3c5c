/** The program as it is built and installed: it starts, is killed, and goes on where it was. */
import { expect } from 'chai'
import { KeptClient } from '../support/kept_client.ts'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { until } from '../support/wait.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

describe('node: a kill and a restart', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('lose no block that was announced, also of the state that is stored', async () => {
    const killed = await NodeProcess.start(folder.path)
    let head = 0
    try {
      head = await withState(killed)
    } finally {
      await killed.kill()
    }
    const node = await NodeProcess.start(folder.path)
    expect(await node.head()).at.least(head)
    expect((await node.stop()).code).equal(0)
    // Newer versions of Node.js complain there about threads that end too early.
    expect(node.stderr).not.include('Warning:')
  })

  it('of a restarted node lose nothing of what HTTP threads answered, which start by default with many reads', async () => {
    // Where responses are validated, the chain's thread gives all answers.
    const argv = ['--validate-responses=false']
    const killed = await NodeProcess.start(folder.path, argv)
    let head = 0
    try {
      await startThreads(killed)
      const chain = new WharfkitChain(killed.url)
      await chain.createAccounts('alice', 'bob')
      head = await killed.head()
      await until('a block with the accounts', async () => (await killed.head()) > head)
      head = await withState(killed)
    } finally {
      await killed.kill()
    }
    const node = await NodeProcess.start(folder.path, argv)
    await startThreads(node)
    expect(await node.head()).at.least(head)
    const { status } = await node.chain('get_account', { account_name: 'bob' })
    expect(status).equal(200)
    expect(await node.stop()).deep.equal({ code: 0, signal: null })
    expect(node.stderr).not.match(/error|Warning:/i)
  })
})

/** Waits until blocks became irreversible, of which the state is stored; answers the head. */
async function withState(node: NodeProcess): Promise<number> {
  const irreversible = async () =>
    ((await node.chain('get_info')).body as { last_irreversible_block_num: number })
      .last_irreversible_block_num
  const before = await irreversible()
  await until('irreversible blocks', async () => (await irreversible()) > before + 2)
  return node.head()
}

/** Asks more reads than a node answers before it starts its threads. */
async function startThreads(node: NodeProcess): Promise<void> {
  const client = new KeptClient(node.url)
  for (let i = 0; i < 600; i++) await client.post('get_account', { account_name: 'eosio' })
  client.socket.destroy()
  await until('the threads', () => node.stderr.includes('HTTP threads answer reads'))
}
