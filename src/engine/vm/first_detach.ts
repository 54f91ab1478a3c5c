let is_done = false

/**
 * Detaches a buffer, once in a thread. When the first buffer of a thread is detached, V8 discards the code that it has
 * optimized for typed arrays there, which is most of what executes transactions. Memories of contracts detach theirs
 * when they grow, so the first one happens here, before there is such code.
 */
export function detachFirstBuffer(): void {
  if (is_done) return
  is_done = true
  const buffer = new ArrayBuffer(1)
  structuredClone(buffer, { transfer: [buffer] })
}
