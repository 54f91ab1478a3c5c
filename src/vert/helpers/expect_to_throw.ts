import assert from 'node:assert'

/**
 * Expects that a transaction fails with this text.
 * @throws AssertionError if it succeeds, or fails with another text
 */
export async function expectToThrow(promise: Promise<unknown>, errorMsg: string): Promise<void> {
  let message = `Was expecting to fail with ${errorMsg}`
  try {
    await promise
  } catch (error) {
    message = error instanceof Error ? error.message : String(error)
  }
  assert.strictEqual(message, errorMsg)
}
