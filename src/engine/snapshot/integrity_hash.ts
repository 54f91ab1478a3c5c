import { Sha256 } from '../crypto/hash.ts'
import { Writer } from '../protocol/writer.ts'
import { snapshotSections } from './sections.ts'
import type { SnapshotSource } from './source.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * SHA-256 of the packed rows of a snapshot, without its frame. Other tasks have their turn at each
 * chunk; the state may change meanwhile.
 * spring: libraries/chain/controller.cpp (calculate_integrity_hash)
 */
export async function integrityHash(source: SnapshotSource): Promise<Uint8Array> {
  const hash = new Sha256()
  const chunk = new Writer(2 * CHUNK_BYTES)
  for (const section of snapshotSections(source)) {
    const packing = section.rows(chunk)
    while (!packing.next().done) {
      if (chunk.length < CHUNK_BYTES) continue
      hash.update(chunk.view())
      chunk.reset()
      await otherTasks()
    }
  }
  hash.update(chunk.view())
  return hash.digest()
}

function otherTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
