import { expect } from 'chai'
import { signDigest } from '../../../src/engine/crypto/keys.ts'
import type { PrivateKey } from '../../../src/engine/crypto/keys.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { SharedSigning } from '../../../src/engine/crypto/shared_signing.ts'
import { SigningThread } from '../../../src/engine/crypto/signing_thread.ts'

/** A key of each type that signs. */
const KEYS: PrivateKey[] = [0, 1].map((type) => ({
  type: type as 0 | 1,
  data: new Uint8Array(32).fill(7),
}))
const DIGESTS = Array.from({ length: 20 }, (_, i) => sha256(Uint8Array.of(i)))
const EXPECTED = KEYS.map((key) => DIGESTS.map((digest) => signDigest(key, digest)))

/** Asks for all signatures; each is the one that a thread alone makes. */
function expectAll(signing: SharedSigning): void {
  const asked = KEYS.map((key) => DIGESTS.map((digest) => signing.sign(key, digest)))
  expect(asked.map((list) => list.map((late) => late()))).deep.equal(EXPECTED)
}

describe('signatures that two threads make', () => {
  it('are made by the caller where there is no other thread, also in another order', () => {
    const signing = SharedSigning.create(100)
    const asked = DIGESTS.map((digest) => signing.sign(KEYS[0]!, digest))
    expect(asked[12]!()).deep.equal(EXPECTED[0]![12])
    expect(asked.map((late) => late())).deep.equal(EXPECTED[0])
  })

  it('are made at once when there is no more place', () => {
    expectAll(SharedSigning.create(5))
  })

  it('are the same whichever thread makes them', async () => {
    const thread = new SigningThread()
    try {
      const done = thread.begin(1)
      const made = done.sign(KEYS[0]!, DIGESTS[0]!)
      done.end()
      // The thread alone makes it, when it has started.
      while (new Int32Array(done.memory, 0, 2)[1] === 0)
        await new Promise((resolve) => setImmediate(resolve))
      expect(made()).deep.equal(EXPECTED[0]![0])
      for (let round = 0; round < 10; round++) {
        const signing = thread.begin(40)
        expectAll(signing)
        signing.end()
      }
    } finally {
      await thread.close()
    }
    const after = thread.begin(40)
    expectAll(after)
    after.end()
  })

  it('are made by the caller if the other thread took them and has ended', () => {
    const signing = SharedSigning.create(4)
    const asked = DIGESTS.slice(0, 3).map((digest) => signing.sign(KEYS[0]!, digest))
    // It took two.
    new Int32Array(signing.memory, 0, 2)[1] = 2
    expect(asked.map((late) => late())).deep.equal(EXPECTED[0]!.slice(0, 3))
  })

  it('are errors for those who need one with a secret that is not a key', () => {
    const signing = SharedSigning.create(4)
    const wrong = signing.sign({ type: 0, data: new Uint8Array(32) }, DIGESTS[0]!)
    const right = signing.sign(KEYS[0]!, DIGESTS[1]!)
    expect(right()).deep.equal(EXPECTED[0]![1])
    expect(wrong).throw('the private key is not valid')
  })
})
