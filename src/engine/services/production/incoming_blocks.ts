import { bytesEqual } from '../../protocol/hex.ts'
import { slotToUs } from '../../protocol/time.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { ChainEvents } from '../../chain/chain_events.ts'
import type { Clock } from '../../clock.ts'
import type { BlockMetrics } from './block_totals.ts'

/** The block of another node that is being executed. */
interface Incoming {
  id: Uint8Array
  start_us: number
  elapsed_us: number
}

/** Adds each block from another node to the metrics. */
export class IncomingBlocks {
  private readonly metrics: BlockMetrics
  private readonly clock: Clock
  /** Undefined while this node produces. */
  private incoming: Incoming | undefined

  constructor(metrics: BlockMetrics, clock: Clock) {
    this.metrics = metrics
    this.clock = clock
  }

  /** Follows a chain from now on. */
  follow(events: ChainEvents): void {
    events.on('blockStarted', ({ producer_block_id: id }) => {
      this.incoming = id && { id, start_us: this.clock.now(), elapsed_us: 0 }
    })
    events.on('transactionApplied', ({ trace }) => {
      if (this.incoming) this.incoming.elapsed_us += trace.elapsed
    })
    events.on('blockAccepted', (block) => this.accepted(block))
  }

  private accepted({ id, transactions, timestamp }: BlockState): void {
    const { incoming } = this
    if (!incoming || !bytesEqual(id, incoming.id)) return
    const now_us = this.clock.now()
    let [cpu_usage_us, net_usage] = [0, 0]
    for (const receipt of transactions) {
      cpu_usage_us += receipt.cpu_usage_us
      net_usage += receipt.net_usage_words * 8
    }
    this.metrics.blockReceived(now_us - slotToUs(timestamp), {
      transactions: transactions.length,
      cpu_usage_us,
      net_usage,
      elapsed_us: incoming.elapsed_us,
      total_us: now_us - incoming.start_us,
    })
  }
}
