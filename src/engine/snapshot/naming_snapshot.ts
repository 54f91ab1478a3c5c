import { ChainError } from '../errors.ts'

/**
 * Adds the path of a snapshot to errors about its contents.
 * @throws what `read` throws; a ChainError names the file
 */
export function namingSnapshot<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const is_named = !(error instanceof ChainError) || error.message.includes(path)
    if (is_named || error.errorName === 'interrupt_exception') throw error
    throw new ChainError(error.errorName, `snapshot ${path}: ${error.message}`, { cause: error })
  }
}
