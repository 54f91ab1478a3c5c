import type { Chain } from '../../chain/chain.ts'
import { isFork } from '../../chain/rules/fork.ts'
import { BlockState } from '../../chain/headers/block_state.ts'
import { readSnapshot } from '../../chain/startup/start_from_snapshot.ts'
import { check } from '../../errors.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { createDatabase } from '../../state/database.ts'
import type { StateAdditions } from './state_files.ts'

/**
 * Checks that a state can take the place of a chain, by reading all of it.
 * @throws ChainError snapshot_exception, snapshot_validation_exception
 */
export function checkLoadable(
  { chain_id, is_fork }: Pick<Chain, 'chain_id' | 'is_fork'>,
  path: string,
  { block_id }: StateAdditions,
): void {
  const db = createDatabase()
  const { key } = new BlockState(readSnapshot(db, path).states)
  check(
    key === block_id,
    'snapshot_exception',
    `the files do not belong together: block ${key} and block ${block_id}`,
  )
  const other = db.global_property.single().chain_id
  check(
    bytesEqual(other, chain_id),
    'snapshot_exception',
    `it is of chain ${toHex(other)}, and this chain is ${toHex(chain_id)}`,
  )
  check(
    isFork(db) === is_fork,
    'snapshot_exception',
    is_fork ? 'it is not of a fork, as this chain is' : 'it is of a fork, and this chain is not',
  )
}
