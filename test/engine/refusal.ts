/** Runs `f`, which must be refused, and gives the refusal. */
import { ChainError } from '../../src/engine/errors.ts'

export function refusalOf(f: () => unknown): ChainError {
  try {
    f()
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
  throw new Error('expected a refusal')
}

/** The name of the refusal of `f`. */
export function refusal(f: () => unknown): string {
  return refusalOf(f).errorName
}
