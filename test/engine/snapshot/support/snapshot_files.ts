import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { loadSnapshot } from '../../../../src/engine/snapshot/load_snapshot.ts'
import type { LoadedSnapshot } from '../../../../src/engine/snapshot/load_snapshot.ts'
import { SnapshotReader } from '../../../../src/engine/snapshot/snapshot_reader.ts'
import { snapshotJson } from '../../../../src/engine/json/snapshot.ts'
import type { SnapshotSource } from '../../../../src/engine/snapshot/source.ts'
import { createDatabase } from '../../../../src/engine/state/database.ts'
import type { Database } from '../../../../src/engine/state/database.ts'

const RECORDED = fileURLToPath(
  new URL('../../../fixtures/recordings/one/snapshots', import.meta.url),
)
const REFERENCE = fileURLToPath(new URL('../../../../../shared/reference', import.meta.url))

/** Blocks of the recorded chain at which the reference wrote snapshots: one before Savanna. */
export const RECORDED_BLOCKS = [0x24, 0x67, 0x7a]

/** A snapshot of the recorded chain, or its JSON form. */
export function recordedSnapshot(block_num: number, form: 'bin' | 'json' = 'bin'): Buffer {
  const prefix = `snapshot-${block_num.toString(16).padStart(8, '0')}`
  const suffix = `.${form}.gz`
  const name = readdirSync(RECORDED).find((n) => n.startsWith(prefix) && n.endsWith(suffix))
  return gunzipSync(readFileSync(join(RECORDED, name!)))
}

/** A file of the reference's own tests, unpacked; undefined where they are not at hand. */
export function referenceFile(path: string): Buffer | undefined {
  const file = join(REFERENCE, path)
  if (!existsSync(file)) return undefined
  const bytes = readFileSync(file)
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** Runs `work` with the path of a file with these bytes, in a folder of its own. */
export async function withFile<T>(
  bytes: Uint8Array,
  work: (path: string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-'))
  try {
    const path = join(folder, 'file.bin')
    writeFileSync(path, bytes)
    return await work(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export interface Loaded extends LoadedSnapshot {
  db: Database
}

/** Loads a snapshot into a database of its own. */
export function load(bytes: Uint8Array): Promise<Loaded> {
  return withFile(bytes, (path) => {
    const db = createDatabase()
    const snapshot = new SnapshotReader(path)
    try {
      return { ...loadSnapshot(snapshot, db), db }
    } finally {
      snapshot.close()
    }
  })
}

/** What was loaded, to be written again; no transaction counts as expired. */
export function sourceOf({ db, block_state }: Loaded): SnapshotSource {
  return { view: db.view(), block_state, block_time_us: 0 }
}

/** The JSON form of a source, whose view is released. */
export function jsonOf(source: SnapshotSource): string {
  const text = [...snapshotJson(source)].join('')
  source.view.release()
  return text
}
