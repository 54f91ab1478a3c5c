import { toHex } from '../../../protocol/hex.ts'

const sets = new WeakMap<readonly Uint8Array[], ReadonlySet<string>>()

/** The digests of a list, which is never changed, in hex. Blocks share their lists, so the set is kept. */
export function activatedSet(activated: readonly Uint8Array[]): ReadonlySet<string> {
  let set = sets.get(activated)
  if (set === undefined) sets.set(activated, (set = new Set(activated.map(toHex))))
  return set
}

/** Both lists of digests in ascending order, each digest once. */
export function addFeatures(
  activated: readonly Uint8Array[],
  added: readonly Uint8Array[],
): readonly Uint8Array[] {
  const digests = new Map([...activated, ...added].map((digest) => [toHex(digest), digest]))
  return [...digests].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, digest]) => digest)
}
