import { ChainError } from '../errors.ts'

/**
 * Refuses a key that another row has. Transactions can make it happen, so it is an error and not an
 * assertion: `std_exception`, with chainbase's words (chainbase: undo_index.hpp, logic_error).
 */
export function refuseDuplicate(action: 'insert' | 'modify'): never {
  const text = `could not ${action} object, most likely a uniqueness constraint was violated`
  const error = new ChainError('std_exception', text)
  error.std_type = 'N5boost10wrapexceptISt11logic_errorEE'
  throw error
}
