import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'
import { FRAME_VERSION, MAGIC } from './format.ts'
import { snapshotSections } from './sections.ts'
import type { SnapshotSource } from './source.ts'

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
