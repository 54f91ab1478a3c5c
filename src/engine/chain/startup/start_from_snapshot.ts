/**
 * The state of a new chain from a snapshot.
 * spring: libraries/chain/controller.cpp (startup with a snapshot reader)
 */
import { check } from '../../errors.ts'
import { checkChecksum } from '../../snapshot/file_checksum.ts'
import { loadSnapshot } from '../../snapshot/load_snapshot.ts'
import { SnapshotReader } from '../../snapshot/snapshot_reader.ts'
import type { Database } from '../../state/database.ts'
import type { Store } from '../../store/store.ts'
import type { BlockArchive } from '../storage/block_files.ts'
import type { BlockState } from '../headers/block_state.ts'
import { DATABASE_VERSION } from '../rules/genesis.ts'
import { packHead } from '../headers/packed_head.ts'
import type { StoredStates } from '../headers/packed_head.ts'
import { unpackSnapshotState } from '../storage/snapshot_block_state.ts'

/**
 * Fills an empty database from a snapshot; changes no file.
 * @param onProgress is called with the share of the file that was read; it may throw to stop the loading
 * @throws ChainError snapshot_exception, snapshot_validation_exception
 */
export function readSnapshot(
  db: Database,
  path: string,
  onProgress?: (share: number) => void,
): StoredStates {
  checkChecksum(path)
  const snapshot = new SnapshotReader(path, onProgress)
  try {
    const { version, block_state } = loadSnapshot(snapshot, db)
    db.database_header.create({ version: DATABASE_VERSION })
    return unpackSnapshotState(version, block_state)
  } finally {
    snapshot.close()
  }
}

/**
 * Checks that the log contains the head of the snapshot, or starts right after it.
 * @throws ChainError block_log_exception
 */
export function checkArchive(archive: BlockArchive, head_block_num: number): void {
  const { first_block_num, head_block_num: last_block_num } = archive
  if (first_block_num === 0) return
  const begins = first_block_num <= head_block_num + 1
  const is_empty = last_block_num === 0
  check(
    is_empty ? first_block_num === head_block_num + 1 : begins && head_block_num <= last_block_num,
    'block_log_exception',
    'Block log is provided with snapshot but does not contain the head block from the snapshot ' +
      `nor a block right after it: blocks ${first_block_num} to ${last_block_num}, ` +
      `the snapshot is of block ${head_block_num}`,
  )
}

/**
 * Writes the state to the store, and creates a block log for the following blocks if there is none.
 */
export async function keepSnapshot(
  db: Database,
  head: BlockState,
  store: Store,
  archive: BlockArchive,
): Promise<void> {
  const { block_num, id: block_id } = head
  await store.fill({ block_num, block_id, head: packHead(head) }, db.allRows())
  if (archive.first_block_num !== 0) return
  const { chain_id } = db.global_property.single()
  archive.begin({ chain_id, first_block_num: block_num + 1 })
}
