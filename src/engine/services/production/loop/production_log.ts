import { nameToString } from '../../../protocol/name.ts'
import { slotToUs } from '../../../protocol/time.ts'
import type { BlockState } from '../../../chain/headers/block_state.ts'
import type { Log } from '../../../log.ts'

/** Produced blocks are summed up in the log once in so many: a minute's. */
const SUMMED_BLOCKS = 120

/** Logs produced blocks: each one at level `debug`, and their sum once a minute at level `info`. */
export class ProductionLog {
  private readonly log: Log
  /** Since the last sum. */
  private blocks = 0
  private transactions = 0

  constructor(log: Log) {
    this.log = log
  }

  /** @param now_us the time at which the block is finished */
  produced(block: BlockState, now_us: number): void {
    const { block_num, timestamp } = block
    const producer = nameToString(block.producer)
    const transactions = block.transactions.length
    this.blocks += 1
    this.transactions += transactions
    const late_ms = Math.round((now_us - slotToUs(timestamp)) / 1000)
    this.log(
      'debug',
      `produced block ${block_num} ${block.key} for ${producer}: ${transactions} ` +
        `transactions, irreversible ${block.irreversible_block_num}, ${late_ms} ms after its time`,
      { block_num, block_id: block.key, producer, transactions },
    )
    if (this.blocks === SUMMED_BLOCKS) this.sumUp(block)
  }

  private sumUp({ block_num, irreversible_block_num }: BlockState): void {
    const { blocks, transactions } = this
    this.log(
      'info',
      `produced ${blocks} blocks with ${transactions} transactions up to ` +
        `block ${block_num}, irreversible ${irreversible_block_num}`,
      { block_num, blocks, transactions },
    )
    this.blocks = this.transactions = 0
  }
}
