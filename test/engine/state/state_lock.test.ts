import { expect } from 'chai'
import { LOCK_WORDS, StateLock } from '../../../src/engine/state/state_lock.ts'

describe('the lock of a state that readers are refused', () => {
  const newLock = (): StateLock =>
    new StateLock(new Int32Array(new SharedArrayBuffer(4 * LOCK_WORDS)))

  it('does not seem to be taken, so a reader that comes at that moment does not wait', () => {
    for (const refuse of ['refuseReaders', 'close'] as const) {
      const lock = newLock()
      lock.write()
      expect(lock.isWanted).equal(true)
      lock[refuse]()
      expect(lock.isWanted).equal(false)
      lock.endWrite()
      expect(() => lock.read()).throw(refuse === 'close' ? 'was closed' : 'took too long')
    }
  })
})
