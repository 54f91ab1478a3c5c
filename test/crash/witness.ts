/**
 * A chain that never crashed: it takes every block of the node that is killed, checks all of it, and must
 * come to the same state.
 */
import { createMetadata } from '../../src/engine/chain/base/transaction_metadata.ts'
import { systemClock, toHex } from '../../src/engine/index.ts'
import type { NodeProcess } from '../support/node_process.ts'
import { TestNode } from '../support/test_node.ts'

/** The state after a block. */
export interface StateHash {
  head_block_id: string
  integrity_hash: string
}

export function blockNumOf({ head_block_id }: StateHash): number {
  return Number.parseInt(head_block_id.slice(0, 8), 16)
}

export class Witness {
  /** Ids of all blocks, by number. */
  readonly blocks = new Map<number, string>()
  /** Numbers of the blocks of all transactions, by id. */
  readonly transactions = new Map<string, number>()
  private readonly node: TestNode

  private constructor(node: TestNode) {
    this.node = node
  }

  static async start(): Promise<Witness> {
    const argv = ['--producer-name', 'nobody']
    return new Witness(await TestNode.start({ argv, clock: systemClock }))
  }

  get head(): number {
    return this.node.head_block_num
  }

  /** Takes a node's blocks up to a number; throws when one is missing or does not follow. */
  async follow(victim: NodeProcess, last: number): Promise<void> {
    const { chain } = this.node.engine
    while (this.head < last) {
      const number = this.head + 1
      const raw = await victim.chain('get_raw_block', { block_num_or_id: number })
      if (raw.status !== 200) throw new Error(`block ${number} is not there: ${raw.text}`)
      const { status, text } = await this.node.chain('push_block', raw.body)
      if (status !== 202 || this.head !== number) throw new Error(`block ${number}: ${text}`)
      this.blocks.set(number, chain.head.key)
      for (const { trx } of chain.blockByNumber(number)!.transactions) {
        const id = toHex('packed' in trx ? createMetadata(trx.packed, 'input').id : trx.id)
        if (this.transactions.has(id)) throw new Error(`transaction ${id} is in two blocks`)
        this.transactions.set(id, number)
      }
    }
  }

  async hash(): Promise<StateHash> {
    return (await this.node.producer('get_integrity_hash')).body as StateHash
  }

  async stop(): Promise<void> {
    await this.node.stop()
  }
}
