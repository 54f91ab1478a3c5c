import { setFlagsFromString } from 'node:v8'

/**
 * Does work of the warm-up without a longer young generation, which V8 does not make shorter again before the heap has
 * become several times as long: objects that live for a while move to the old generation. Work between two steps, such
 * as requests, may make it longer. V8's flags are of the whole process.
 */
export function inSmallHeap<T>(work: () => T): T {
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return work()
  } finally {
    setFlagsFromString('--semi-space-growth-factor=2')
  }
}
