import { slotToUs } from '../protocol/time.ts'
import { snapshotJson } from '../snapshot/write_json.ts'
import { createDatabase } from '../state/database.ts'
import { BlockState } from '../chain/headers/block_state.ts'
import { packHead } from '../chain/headers/packed_head.ts'
import { readSnapshot } from '../chain/startup/start_from_snapshot.ts'

/**
 * The JSON form of a binary snapshot of any version, which is read first; pieces of text, in order.
 * As the reference's converter, it gives the form that the state has in the current version.
 * Errors: `snapshot_exception`, `snapshot_validation_exception`.
 */
export function* snapshotToJson(path: string): Generator<string> {
  const db = createDatabase()
  const { states, valid } = readSnapshot(db, path)
  const head = new BlockState(states)
  head.valid = valid
  yield* snapshotJson({
    view: db.view(),
    block_state: packHead(head),
    block_time_us: slotToUs(head.timestamp),
  })
}
