import { bytesEqual } from '../protocol/hex.ts'
import { slotToUs } from '../protocol/time.ts'
import type { ChainEvents } from '../chain/chain_options.ts'
import type { Clock } from './clock.ts'
import type { ProducerMetrics } from './metrics.ts'

/** Sums up the blocks of others while they are executed. */
export class IncomingBlocks {
  readonly observers: ChainEvents
  private elapsed_us = 0
  private start_us = 0
  private id: Uint8Array | undefined

  constructor(metrics: ProducerMetrics, clock: Clock) {
    this.observers = {
      onAppliedTransaction: (trace) => {
        const id = trace.producer_block_id
        if (!id) return
        if (!this.id || !bytesEqual(id, this.id)) {
          // The first transaction of every block is onblock.
          this.id = id
          this.start_us = clock.now() - trace.elapsed
          this.elapsed_us = 0
        }
        this.elapsed_us += trace.elapsed
      },
      onAcceptedBlock: ({ id, block, timestamp }) => {
        // Blocks that are produced here have no id while they are executed.
        if (!this.id || !bytesEqual(id, this.id)) return
        const now_us = clock.now()
        let [cpu_usage_us, net_usage] = [0, 0]
        for (const receipt of block.transactions) {
          cpu_usage_us += receipt.cpu_usage_us
          net_usage += receipt.net_usage_words * 8
        }
        metrics.blockReceived(now_us - slotToUs(timestamp), {
          transactions: block.transactions.length,
          cpu_usage_us,
          net_usage,
          elapsed_us: this.elapsed_us,
          total_us: now_us - this.start_us,
        })
      },
    }
  }
}
