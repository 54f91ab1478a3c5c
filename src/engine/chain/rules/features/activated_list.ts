import { toHex } from '../../../protocol/hex.ts'

/** Both lists of digests in ascending order, each digest once. */
export function addFeatures(
  activated: readonly Uint8Array[],
  added: readonly Uint8Array[],
): readonly Uint8Array[] {
  const digests = new Map([...activated, ...added].map((digest) => [toHex(digest), digest]))
  return [...digests].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, digest]) => digest)
}
