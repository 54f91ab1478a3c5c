import assert from 'node:assert/strict'
import { slotToUs } from '../../protocol/time.ts'
import type { SnapshotSource } from '../../snapshot/source.ts'
import type { ChainParts } from './chain_parts.ts'
import { packHead } from '../headers/packed_head.ts'

/**
 * A view of the state after the head, which can be written while the chain continues. The caller
 * must release it. There must be no pending block.
 */
export function snapshotSource(chain: Pick<ChainParts, 'db' | 'head' | 'pending'>): SnapshotSource {
  const { db, head, pending } = chain
  assert(!pending, 'a block must be finished or aborted before its state is read')
  return {
    view: db.view(),
    block_state: packHead(head),
    block_time_us: slotToUs(head.timestamp),
  }
}
