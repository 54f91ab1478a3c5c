import type { ChainParts } from './chain_parts.ts'

/**
 * Lets an observer hear of something. What an observer cannot cope with is logged and goes no
 * further: a block is right or wrong whoever listens.
 * spring: libraries/chain/controller.cpp (emit)
 */
export function observe<A extends unknown[]>(
  chain: ChainParts,
  observer: ((...args: A) => void) | undefined,
  ...args: A
): void {
  if (observer === undefined) return
  try {
    observer(...args)
  } catch (error) {
    chain.log(
      'error',
      `an observer failed: ${error instanceof Error ? error.stack : String(error)}`,
    )
  }
}
