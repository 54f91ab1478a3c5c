/** The first V8 that can return memory at once; earlier ones do so a while after the collection. */
const FIRST_V8_THAT_REDUCES = 12

/**
 * Collects all garbage of this thread, which stops it for some milliseconds. V8 returns the memory of the young
 * generation to the system only after such a collection, and when the thread allocates little. By itself it makes none
 * while the heap is as small as that of a new chain.
 *
 * Does nothing where V8 does not offer it: the program lets V8 do so (main.ts).
 */
export function collectGarbage(): void {
  if (Number.parseInt(process.versions.v8) < FIRST_V8_THAT_REDUCES) return void globalThis.gc?.()
  void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
