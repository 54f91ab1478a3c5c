import { fail } from '../errors.ts'

/** Most characters of names that one conversion may repeat into its JSON. */
const DEFAULT_LIMIT = 64 * 1024 * 1024

/**
 * Bounds how much JSON a few bytes can become: an ABI may give a one-byte field a very long name.
 * Values themselves are bounded by the bytes they come from.
 */
export class OutputBudget {
  private left: number

  constructor(limit = DEFAULT_LIMIT) {
    this.left = limit
  }

  spend(characters: number): void {
    this.left -= characters + 4
    if (this.left < 0) {
      fail('abi_serialization_deadline_exception', 'serialization size limit exceeded')
    }
  }
}
