/** A node that is killed at any moment loses no block that it announced. */
import { PackedTransaction } from '@wharfkit/antelope'
import { expect } from 'chai'
import { NodeProcess, temporaryFolder } from '../support/node_process.ts'
import { patientGenesis } from '../support/patient_genesis.ts'
import { until } from '../support/wait.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'

/** Blocks and answered transfers before each kill: it comes at other moments of a block. */
const KILL_AFTER: readonly [number, number][] = [
  [0, 1],
  [1, 9],
  [2, 25],
  [1, 50],
  [3, 40],
]
const SENDERS = 3
const SUPPLY = 1_000_000_0000n

interface Info {
  head_block_num: number
  head_block_id: string
  last_irreversible_block_num: number
}

interface Sent {
  transaction_id: string
  processed: { block_num: number }
}

interface Block {
  id: string
  transactions: { status: string; trx: { id: string; transaction: { actions: TransferJson[] } } }[]
}

interface TransferJson {
  account: string
  name: string
  data: { to: string; quantity: string; memo: string }
}

const units = (quantity: string): bigint => BigInt(quantity.replace(/[. A-Z]/g, ''))

describe('server: kill and stop', () => {
  const folder = temporaryFolder()
  const genesis = patientGenesis(folder.path)
  let node: NodeProcess
  let chain: WharfkitChain
  /** What get_info announced: number -> id. */
  const announced = new Map<number, string>()
  const included = new Map<string, { block_num: number; amount: bigint }>()
  /** Answered transfers: id -> the block in which they were executed. */
  const answered = new Map<string, number>()
  let counted_to = 1
  let memo = 0

  before(async () => {
    await start()
    await chain.createToken('1000000.0000', '1000000.0000')
    await nextBlock()
  })
  after(async () => {
    await node.kill()
    folder.remove()
  })

  async function start(): Promise<void> {
    node = await NodeProcess.start(folder.path, genesis)
    chain = new WharfkitChain(node.url)
  }

  async function info(): Promise<Info> {
    const { body } = await node.chain('get_info')
    const answer = body as Info
    announced.set(answer.head_block_num, answer.head_block_id)
    return answer
  }

  async function nextBlock(): Promise<void> {
    const { head_block_num } = await info()
    await until('a block', async () => (await info()).head_block_num > head_block_num)
  }

  /** Transfers without end, until the node is gone. */
  async function transferOn(onAnswer: () => void): Promise<void> {
    for (;;) {
      memo += 1
      const data = { from: 'alice', to: 'bob', quantity: '0.0001 SYS', memo: `${memo}` }
      try {
        const action = await chain.action('eosio.token', 'transfer', 'alice', data)
        const packed = PackedTransaction.fromSigned(await chain.sign([action]), 0)
        const { status, text, body } = await node.chain('send_transaction', packed)
        expect(status, text).equal(202)
        const { transaction_id, processed } = body as Sent
        answered.set(transaction_id, processed.block_num)
      } catch (error) {
        if (node.gone || node.child.killed) return
        throw error
      }
      await info().catch((error: Error) => {
        if (!node.child.killed) throw error
      })
      onAnswer()
    }
  }

  /** Transfers on, and then kills the node in the middle of others. */
  async function killUnderLoad(blocks: number, count: number): Promise<void> {
    const head = (await info()).head_block_num + blocks
    let done = 0
    const senders: Promise<void>[] = []
    const killed = new Promise<void>((resolve) => {
      const onAnswer = () => {
        done += 1
        if (done < count || Math.max(...announced.keys()) < head || node.child.killed) return
        void node.kill()
        resolve()
      }
      for (let i = 0; i < SENDERS; i++) senders.push(transferOn(onAnswer))
    })
    await killed
    await Promise.all(senders)
    await node.ended
    // What was in no announced block may be lost.
    const last = Math.max(...announced.keys())
    for (const [id, block_num] of answered) if (block_num > last) answered.delete(id)
  }

  /** Reads the blocks since last time; every transfer is in one of them, once. */
  async function countTransfers(): Promise<void> {
    const { head_block_num } = await info()
    while (counted_to < head_block_num) {
      counted_to += 1
      const { body } = await node.chain('get_block', { block_num_or_id: counted_to })
      for (const { status, trx } of (body as Block).transactions) {
        expect(status).equal('executed')
        const [{ name, data }] = trx.transaction.actions as [TransferJson]
        if (name !== 'transfer') continue
        expect(included.has(trx.id), `${trx.id} is in two blocks`).equal(false)
        included.set(trx.id, { block_num: counted_to, amount: units(data.quantity) })
      }
    }
  }

  async function checkState(): Promise<void> {
    const { head_block_num, last_irreversible_block_num } = await info()
    expect(head_block_num, 'blocks were lost').greaterThanOrEqual(Math.max(...announced.keys()))
    expect(last_irreversible_block_num).within(1, head_block_num)
    for (const [number, id] of announced) {
      const { body } = await node.chain('get_block_info', { block_num: number })
      expect(body, `block ${number}`).include({ id })
    }
    await countTransfers()
    for (const [id, block_num] of answered) expect(included.get(id)).include({ block_num })
    const sum = [...included.values()].reduce((total, { amount }) => total + amount, 0n)
    const balances = await Promise.all(['alice', 'bob'].map(balance))
    expect(balances).deep.equal([SUPPLY - sum, sum])
  }

  async function balance(account: string): Promise<bigint> {
    const { body } = await node.chain('get_currency_balance', { code: 'eosio.token', account })
    return (body as string[]).reduce((sum, quantity) => sum + units(quantity), 0n)
  }

  for (const [blocks, count] of KILL_AFTER) {
    it(`killed after ${blocks} blocks and ${count} transfers, it continues with every block that it announced`, async () => {
      await killUnderLoad(blocks, count)
      await start()
      await checkState()
      await nextBlock()
    })
  }

  it('there was something to lose', () => {
    expect(included.size).greaterThan(50)
    expect(answered.size).greaterThan(50)
  })

  it('after a stop it continues where it stopped', async () => {
    await nextBlock()
    const { code, signal } = await node.stop()
    expect([code, signal]).deep.equal([0, null])
    expect(node.stderr).not.match(/error|Error/)
    await start()
    await checkState()
  })

  it('asked to stop twice, it ends at once', async () => {
    node.child.kill('SIGTERM')
    node.child.kill('SIGTERM')
    const { code } = await node.ended
    expect(code).oneOf([0, 1])
    await start()
    await checkState()
  })

  it('two nodes cannot share a folder', async () => {
    const argv = ['--data-dir', folder.path, '--http-server-address', '127.0.0.1:0']
    const second = new NodeProcess(argv)
    const { code } = await second.ended
    expect(code).equal(1)
    expect(second.stderr).match(/^pronghorn: .*(lock|another|use)/m)
    await nextBlock()
  })
})
