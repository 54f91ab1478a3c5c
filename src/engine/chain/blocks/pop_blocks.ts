import assert from 'node:assert'
import { check } from '../../errors.ts'
import type { ChainParts } from './chain_parts.ts'

/**
 * Undoes the last `count` blocks. spring: libraries/chain/controller.cpp (pop_block)
 * @throws ChainError block_validate_exception beyond the last irreversible block
 */
export function popBlocks(chain: ChainParts, count: number): void {
  assert(!chain.pending, 'a pending block stands on the head')
  for (let i = 0; i < count; i++) {
    const undone = chain.head
    const prev = chain.forks.get(undone.previous)
    check(prev, 'block_validate_exception', 'attempt to pop beyond last irreversible block')
    chain.db.undo()
    chain.head = prev
    chain.events.emit('blockUndone', undone)
  }
}
