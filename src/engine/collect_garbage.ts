import { setFlagsFromString } from 'node:v8'

/**
 * Collects all garbage of this thread, which stops it for some milliseconds. By itself, V8 makes no such collection
 * while the heap is as small as that of a new chain.
 *
 * V8 would have further ones follow, to return more memory. Those forget the forms of objects for which code was
 * compiled, and so drop that code: what the warm-up was for. Transfers after them took 1.4 times as much of the
 * processors.
 *
 * Does nothing where V8 does not offer it: the program lets V8 do so (main.ts).
 */
export function collectGarbage(): void {
  const { gc } = globalThis
  if (gc === undefined) return
  setFlagsFromString('--no-memory-reducer')
  try {
    void gc()
  } finally {
    setFlagsFromString('--memory-reducer')
  }
}
