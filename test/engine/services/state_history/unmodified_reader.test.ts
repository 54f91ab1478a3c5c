/**
 * A reader that is made of packages from npm, unmodified: `ws`, and the decoder of wharfkit. It follows a chain through
 * a fork and a restart, and must know the rows of the chain in the end.
 */
import { ABI, Serializer } from '@wharfkit/antelope'
import { expect } from 'chai'
import WebSocket from 'ws'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { nameToString } from '../../../../src/engine/protocol/name.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import { until } from '../../../support/wait.ts'
import { TestChain } from '../../chain/support/test_chain.ts'
import { temporaryFolder } from '../../store/temporary_folder.ts'
import { ChainWithHistory, takeTurns } from './chain_with_history.ts'

interface Position {
  block_num: number
  block_id: string
}
type Row = { present: boolean; data: string }

/** What a reader has: for each block its id, and the accounts that it created. */
class Reader {
  readonly blocks = new Map<number, { id: string; accounts: string[] }>()
  /** How often a block came whose number the reader had already. */
  replaced = 0
  private socket: WebSocket | undefined

  follow(url: string): void {
    const socket = new WebSocket(url)
    let abi: ABI | undefined
    this.socket = socket
    const send = (name: string, value: object): void =>
      socket.send(Serializer.encode({ type: 'request', abi: abi!, object: [name, value] }).array)
    socket.on('message', (data: Buffer) => {
      if (!abi) {
        abi = ABI.from(data.toString())
        return send('get_blocks_request_v0', this.request())
      }
      this.take(abi, data)
      send('get_blocks_ack_request_v0', { num_messages: 1 })
    })
  }

  close(): void {
    this.socket?.close()
  }

  get accounts(): Set<string> {
    return new Set([...this.blocks.values()].flatMap(({ accounts }) => accounts))
  }

  private request(): object {
    const have_positions = [...this.blocks].map(([block_num, { id }]) => ({
      block_num,
      block_id: id,
    }))
    return {
      start_block_num: Math.max(0, ...this.blocks.keys()) + 1,
      end_block_num: 0xffffffff,
      max_messages_in_flight: 2,
      have_positions,
      irreversible_only: false,
      fetch_block: true,
      fetch_traces: true,
      fetch_deltas: true,
    }
  }

  private take(abi: ABI, data: Buffer): void {
    const decoded = <T>(type: string, bytes: string | Buffer): T =>
      JSON.parse(JSON.stringify(Serializer.decode({ type, abi, data: bytes }))) as T
    const [, result] = decoded<
      [string, { this_block: Position; block: string; traces: string; deltas: string }]
    >('result', data)
    const { block_num, block_id } = result.this_block
    const deltas = decoded<[string, { name: string; rows: Row[] }][]>(
      'table_delta[]',
      result.deltas,
    )
    // The genesis has rows alone.
    if (block_num > 1) {
      expect(decoded<unknown[]>('transaction_trace[]', result.traces)).not.empty
      expect(decoded<object>('signed_block', result.block)).property('producer')
    }
    const rows = deltas.find(([, { name }]) => name === 'account')?.[1].rows ?? []
    const accounts = rows.map(
      (row) => decoded<[string, { name: string }]>('account', row.data)[1].name,
    )
    if (this.blocks.has(block_num)) this.replaced++
    // What came after it belongs to another branch.
    for (const known of this.blocks.keys()) if (known > block_num) this.blocks.delete(known)
    this.blocks.set(block_num, { id: block_id, accounts })
  }
}

describe('a reader made of packages from npm', () => {
  it('follows a chain through a fork', async () => {
    const reader = new Reader()
    const scene = await ChainWithHistory.open(temporaryFolder())
    const other = await TestChain.open()
    try {
      takeTurns(scene.test)
      takeTurns(other)
      reader.follow(scene.url)
      await expectSame(reader, scene.test)

      scene.test.start()
      scene.test.createAccount('ann')
      scene.test.produce(2)
      await expectSame(reader, scene.test)
      expect(reader.accounts).include('ann')

      other.start(1)
      other.createAccount('ben')
      const blocks = [other.finish(), other.produce(), other.produce()]
      for (const { packed_block } of blocks) scene.test.chain.pushBlock(packed_block)
      expect(scene.test.head.key).equal(other.head.key)
      await expectSame(reader, scene.test)
      expect(reader.accounts).include('ben').and.not.include('ann')
      expect(reader.replaced).greaterThan(0)
    } finally {
      reader.close()
      await scene.close()
      await other.chain.close()
    }
  })

  it('follows a chain through a restart, and through a fork that leaves blocks from before it', async () => {
    const folder = temporaryFolder()
    const store = new MemoryStore()
    const reader = new Reader()
    const other = await TestChain.open()
    let scene = await ChainWithHistory.open(folder, store)
    try {
      takeTurns(scene.test)
      takeTurns(other)
      reader.follow(scene.url)
      scene.test.start()
      scene.test.createAccount('ann')
      scene.test.produce(2)
      await expectSame(reader, scene.test)
      const { head } = scene.test
      reader.close()
      await scene.close()

      scene = await ChainWithHistory.open(folder, store)
      expect(scene.test.head.key).equal(head.key)
      reader.follow(scene.url)
      other.start(1)
      other.createAccount('ben')
      const blocks = [other.finish(), other.produce(), other.produce()]
      for (const { packed_block } of blocks) scene.test.chain.pushBlock(packed_block)
      expect(scene.test.head.key).equal(other.head.key)
      await expectSame(reader, scene.test)
      expect(reader.accounts).include('ben').and.not.include('ann')
    } finally {
      reader.close()
      await scene.close()
      await other.chain.close()
    }
  })

  it('follows a chain through restarts', async () => {
    const folder = temporaryFolder()
    const reader = new Reader()
    for (const name of ['ann', 'ben', 'cid']) {
      const scene = await ChainWithHistory.open(folder)
      try {
        reader.follow(scene.url)
        scene.test.start()
        scene.test.createAccount(name)
        scene.test.produce(3)
        await expectSame(reader, scene.test)
        expect(reader.accounts).include(name)
        expect(reader.replaced).equal(0)
      } finally {
        reader.close()
        await scene.close()
      }
    }
  })
})

/** Waits until the reader has the head; then it has the blocks and accounts of the chain. */
async function expectSame(reader: Reader, { chain }: TestChain): Promise<void> {
  const { head } = chain
  await until('the head', () => reader.blocks.get(head.block_num)?.id === head.key)
  for (const [block_num, { id }] of reader.blocks) {
    expect(id).equal(toHex(chain.blockIdByNumber(block_num)!))
  }
  const accounts = [...chain.db.account.range('by_name', [], [])].map(({ name }) =>
    nameToString(name),
  )
  expect([...reader.accounts].sort()).deep.equal(accounts.sort())
}
