import { sha256 } from '../../../../src/engine/crypto/hash.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import type { Database } from '../../../../src/engine/state/database.ts'
import { stateSections } from './snapshot_sections.ts'

/** One digest of every row, to compare states; without the ring of block ids, which is large. */
export function stateDigest(db: Database): string {
  const digests = [...stateSections(db, false)].map(
    ([name, bytes]) => `${name} ${toHex(sha256(bytes))}`,
  )
  return toHex(sha256(new TextEncoder().encode(digests.join('\n'))))
}
