import { expect } from 'chai'
import { ChainError } from '../../../src/engine/errors.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import type { PrivateKey } from '../../../src/engine/crypto/keys.ts'
import { publicKeyOf, signDigest } from '../../../src/engine/crypto/keys.ts'
import { warmUpRecovery } from '../../../src/engine/crypto/recover_keys.ts'
import { RecoveryPool } from '../../../src/engine/crypto/recovery_pool.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { K1, R1 } from '../../../src/engine/protocol/key.ts'

const keys: PrivateKey[] = [3, 4, 5].map((n) => ({ type: K1, data: new Uint8Array(32).fill(n) }))
const r1: PrivateKey = { type: R1, data: new Uint8Array(32).fill(6) }
const hexes = (list: Uint8Array[]): string[] => list.map(toHex)

const POOLS = [0, 2]
for (const threads of POOLS) {
  describe(`a recovery pool of ${threads} threads`, () => {
    let pool: RecoveryPool
    beforeEach(async () => {
      pool = new RecoveryPool(threads)
      await pool.start()
    })
    afterEach(() => pool.close())

    it('gives keys in the order of the signatures', async () => {
      const digest = sha256(Uint8Array.of(1))
      const signers = [...keys, r1]
      const found = await pool.recover(
        digest,
        signers.map((k) => signDigest(k, digest)),
      )
      expect(hexes(found.keys)).to.deep.equal(hexes(signers.map(publicKeyOf)))
      expect(await pool.recover(digest, [])).to.deep.equal({ keys: [], cpu_usage_us: 0 })
    })

    it('answers many requests, each its own', async () => {
      const requests = Array.from({ length: 150 }, (_, i) => {
        const digest = sha256(Uint8Array.of(i))
        const signer = keys[i % keys.length] as PrivateKey
        return { digest, signer, signatures: [signDigest(signer, digest)] }
      })
      const found = await Promise.all(requests.map((r) => pool.recover(r.digest, r.signatures)))
      expect(hexes(found.flatMap((answer) => answer.keys))).to.deep.equal(
        hexes(requests.map((r) => publicKeyOf(r.signer))),
      )
    })

    it('bills the work of each request, and no waiting', async () => {
      const digest = sha256(Uint8Array.of(5))
      const signature = signDigest(keys[0] as PrivateKey, digest)
      const start = performance.now()
      const requests = Array.from({ length: 500 }, () => pool.recover(digest, [signature]))
      const billed_us = (await Promise.all(requests)).map((answer) => answer.cpu_usage_us)
      const elapsed_us = (performance.now() - start) * 1000
      const total = billed_us.reduce((sum, us) => sum + us, 0)
      expect(Math.min(...billed_us)).to.be.above(0)
      // Threads cannot have worked longer than all of them together lived; each is rounded up.
      expect(total).to.be.below(elapsed_us * Math.max(1, threads) + requests.length)
    })

    it('refuses a bad signature alone', async () => {
      const digest = sha256(Uint8Array.of(2))
      const good = signDigest(keys[0] as PrivateKey, digest)
      const bad = good.slice()
      bad[2] = 0x80
      const [a, b, c] = await Promise.allSettled([
        pool.recover(digest, [good]),
        pool.recover(digest, [good, bad]),
        pool.recover(digest, [good]),
      ])
      expect([a.status, b.status, c.status]).to.deep.equal(['fulfilled', 'rejected', 'fulfilled'])
      const reason: unknown = b.status === 'rejected' ? b.reason : undefined
      expect(reason).to.be.instanceOf(ChainError)
      expect(reason).to.include({ errorName: 'assert_exception', code: 10 })
    })

    it('stops where the time is over', async () => {
      const digest = sha256(Uint8Array.of(4))
      const signatures = [signDigest(keys[0] as PrivateKey, digest)]
      const [late, good] = await Promise.allSettled([
        pool.recover(digest, signatures, 0),
        pool.recover(digest, signatures, 60_000_000),
      ])
      expect(good.status).to.equal('fulfilled')
      const reason = (late as PromiseRejectedResult).reason as ChainError
      expect(reason).to.include({ errorName: 'tx_cpu_usage_exceeded', code: 3080004 })
      expect(reason.message).to.match(
        /^transaction signature verification executed for too long \d+us$/,
      )
    })

    it('refuses what comes after its end', async () => {
      const digest = sha256(Uint8Array.of(3))
      const signatures = [signDigest(keys[0] as PrivateKey, digest)]
      const before = pool.recover(digest, signatures).then(
        () => 'answered',
        () => 'refused',
      )
      await pool.close()
      // Without threads it was answered at once.
      expect(await before).to.equal(threads === 0 ? 'answered' : 'refused')
      const after = await pool.recover(digest, signatures).then(
        () => 'answered',
        (error: Error) => error.message,
      )
      expect(after).to.equal('the recovery pool is closed')
    })
  })
}

describe('a recovery pool that has not started', () => {
  it('answers without waiting for its threads', async () => {
    const pool = new RecoveryPool(1)
    const digest = sha256(Uint8Array.of(4))
    const signer = keys[0] as PrivateKey
    const answer = pool.recover(digest, [signDigest(signer, digest)])
    await pool.close()
    expect(hexes((await answer).keys)).to.deep.equal([toHex(publicKeyOf(signer))])
  })
})

describe('warming up the recovery of keys', () => {
  it('recovers a key from each example', () => {
    expect(warmUpRecovery).not.throw()
  })
})
