import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'
import { slotToUs } from '../protocol/time.ts'
import { FRAME_VERSION, MAGIC } from '../snapshot/format.ts'
import { snapshotSections } from '../snapshot/sections.ts'
import type { SnapshotSource } from '../snapshot/source.ts'
import { createDatabase } from '../state/database.ts'
import { BlockState } from '../chain/headers/block_state.ts'
import { packHead } from '../chain/headers/packed_head.ts'
import { readSnapshot } from '../chain/startup/start_from_snapshot.ts'

/** Characters after which the text so far is given on. */
const CHUNK_LENGTH = 256 * 1024

/**
 * The snapshot as JSON, in the reference's form and line breaks; pieces of text, in order.
 * spring: libraries/chain/snapshot.cpp (ostream_json_snapshot_writer)
 */
export function* snapshotJson(source: SnapshotSource): Generator<string> {
  let text = `{\n"magic_number":${MAGIC}\n,"version":${FRAME_VERSION}\n`
  const row = new Writer()
  for (const section of snapshotSections(source)) {
    text += `,${JSON.stringify(section.name)}:{\n"rows":[\n`
    let rows = 0
    for (const type of section.rows(row)) {
      text += `${rows++ === 0 ? '' : ','}${JSON.stringify(type(new Reader(row.view())))}\n`
      row.reset()
      if (text.length < CHUNK_LENGTH) continue
      yield text
      text = ''
    }
    text += `],\n"num_rows":${rows}\n}\n`
  }
  yield `${text}}\n`
}

/**
 * The JSON form of a binary snapshot of any version, which is read first; pieces of text, in order.
 * As the reference's converter, it gives the form that the state has in the current version.
 * @throws ChainError `snapshot_exception`, `snapshot_validation_exception`
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
