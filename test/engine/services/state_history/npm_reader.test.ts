/**
 * An unmodified reader from npm, @blockmatic/eosio-ship-reader, in a process of its own. `make npm-clients` installs it;
 * without that the test says so and is left out.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { makeTokenAccounts } from '../../../../bench/support/token_accounts.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { PACKAGE } from '../../../support/test_node.ts'
import { until } from '../../../support/wait.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { Token } from '../../chain/support/token.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { ChainWithHistory, takeTurns } from './chain_with_history.ts'

const PROGRAM = join(PACKAGE, 'test/clients/npm/ship_reader')
const ABI = join(PACKAGE, 'node_modules/proton-tsc/external/eosio.token/eosio.token.abi')

interface Row {
  present: boolean
  scope: string
  value: { balance: string }
}
interface Block {
  block_num: number
  block_id: string
  table_rows: Row[]
  actions?: { receiver: string; data: { memo: string } }[]
}
type Line = { block: Block } | { fork: number } | { error: string }

/** What the reader's process told. */
class Reader {
  /** The blocks of the chain, by number. */
  readonly blocks = new Map<number, Block>()
  readonly forks: number[] = []
  readonly errors: string[] = []
  private child: ChildProcess | undefined

  follow(history_url: string, api_url: string): void {
    const positions = [...this.blocks.values()].map(({ block_num, block_id }) => ({
      block_num,
      block_id,
    }))
    const argv = ['follow.js', history_url, api_url, JSON.stringify(positions), ABI]
    const child = spawn(process.execPath, argv, {
      cwd: PROGRAM,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.child = child
    createInterface(child.stdout).on('line', (line) => this.take(JSON.parse(line) as Line))
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    const { child } = this
    this.child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  balanceOf(account: string): string | undefined {
    const rows = [...this.blocks.values()].flatMap(({ table_rows }) => table_rows)
    return rows.filter(({ scope, present }) => scope === account && present).at(-1)?.value.balance
  }

  get memos(): string[] {
    const actions = [...this.blocks.values()].flatMap((block) => block.actions ?? [])
    return actions.filter(({ receiver }) => receiver === 'token').map(({ data }) => data.memo)
  }

  private take(line: Line): void {
    if ('error' in line) this.errors.push(line.error)
    else if ('fork' in line) this.forks.push(line.fork)
    else {
      const { block } = line
      for (const known of this.blocks.keys())
        if (known >= block.block_num) this.blocks.delete(known)
      this.blocks.set(block.block_num, block)
    }
  }
}

describe('an unmodified reader from npm', () => {
  const token = new Token()
  const folder = temporaryFolder()
  let api: Server
  let api_url: string
  let chain_id = ''
  before(async function () {
    if (!existsSync(join(PROGRAM, 'node_modules'))) this.skip()
    // It asks for the id of the chain alone.
    api = createServer((_request, response) => response.end(JSON.stringify({ chain_id })))
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    api_url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  })
  after(() => api?.close())

  it('follows rows and actions of a contract through a fork and a restart', async () => {
    const store = new MemoryStore()
    const reader = new Reader()
    const other = await TestChain.open()
    let scene = await ChainWithHistory.open(folder, store)
    chain_id = toHex(scene.test.chain.chain_id)
    try {
      for (const test of [scene.test, other]) {
        makeTokenAccounts(test, token)
        test.produce()
        takeTurns(test, ['carol', 'dave', 'erin', 'frank'])
      }
      reader.follow(scene.url, api_url)
      scene.test.push([token.transfer('alice', 'bob', '5.0000 TOK', 'given up')])
      scene.test.produce(2)
      await expectHead(reader, scene.test)
      expect(reader.balanceOf('bob')).equal('1005.0000 TOK')
      expect(reader.memos).include('given up')
      expect(reader.forks).deep.equal([])

      const fork = scene.test.head.block_num - 1
      other.start(1)
      other.push([token.transfer('alice', 'bob', '7.0000 TOK', 'kept')])
      for (const { packed_block } of [other.finish(), other.produce(), other.produce()]) {
        scene.test.chain.pushBlock(packed_block)
      }
      await expectHead(reader, scene.test)
      expect(reader.balanceOf('bob')).equal('1007.0000 TOK')
      expect(reader.memos).include('kept').and.not.include('given up')
      expect(reader.forks).deep.equal([fork])

      await reader.stop()
      await scene.close()
      scene = await ChainWithHistory.open(folder, store)
      reader.follow(scene.url, api_url)
      other.push([token.transfer('alice', 'bob', '1.0000 TOK', 'after the restart')])
      for (const { packed_block } of [other.finish(), other.produce()]) {
        scene.test.chain.pushBlock(packed_block)
      }
      await expectHead(reader, scene.test)
      expect(reader.balanceOf('bob')).equal('1008.0000 TOK')
      expect(reader.balanceOf('alice')).equal('992.0000 TOK')
      expect(reader.memos).include.members(['kept', 'after the restart'])
      expect(reader.forks).deep.equal([fork])
      expect(reader.errors).deep.equal([])
    } finally {
      await reader.stop()
      await scene.close()
      await other.chain.close()
    }
  })
})

/** Waits until the reader has the head; then it has each block of the chain, and no other. */
async function expectHead(reader: Reader, { chain }: TestChain): Promise<void> {
  const { head } = chain
  const idOf = (block_num: number) => reader.blocks.get(block_num)?.block_id.toLowerCase()
  await until('the head', () => reader.errors.length > 0 || idOf(head.block_num) === head.key)
  expect(reader.errors).deep.equal([])
  expect(reader.blocks.size).equal(head.block_num)
  for (const block_num of reader.blocks.keys()) {
    expect(idOf(block_num)).equal(toHex(chain.blockIdByNumber(block_num)!))
  }
}
