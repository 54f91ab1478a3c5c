import { expect } from 'chai'
import fc from 'fast-check'
import { ripemd160 as nobleRipemd160, sha1 as nobleSha1 } from '@noble/hashes/legacy.js'
import { sha256 as nobleSha256, sha512 as nobleSha512 } from '@noble/hashes/sha2.js'
import { sha3_256 as nobleSha3 } from '@noble/hashes/sha3.js'
import * as hash from '../../../src/engine/crypto/hash.ts'
import { oneShotHasher, streamHasher } from '../../../src/engine/hash/hasher.ts'
import { chooseRipemd160, createRipemd160 } from '../../../src/engine/hash/ripemd160.ts'
import { toHex, utf8ToBytes } from '../../../src/engine/protocol/hex.ts'

describe('hash functions', () => {
  it('agree with another implementation', () => {
    const pairs = [
      [hash.sha1, nobleSha1],
      [hash.sha256, nobleSha256],
      [hash.sha512, nobleSha512],
      [hash.ripemd160, nobleRipemd160],
      [chooseRipemd160(false).hash, nobleRipemd160],
      [hash.sha3_256, nobleSha3],
      [streamHasher('sha256'), nobleSha256],
      [oneShotHasher('sha256', 32) ?? hash.sha256, nobleSha256],
    ] as const
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (data) => {
        for (const [ours, theirs] of pairs) expect(toHex(ours(data))).to.equal(toHex(theirs(data)))
      }),
    )
  })

  it('give the same in pieces, and may be left between them', () => {
    const at_once = {
      sha1: hash.sha1,
      sha256: hash.sha256,
      sha512: hash.sha512,
      ripemd160: hash.ripemd160,
      'sha3-256': hash.sha3_256,
      keccak256: hash.keccak256,
    }
    const data = new Uint8Array(3 * hash.HASHING_PIECE + 1).map((_, i) => i % 251)
    for (const name of Object.keys(at_once) as hash.HashName[]) {
      for (const pieces of [0, 1, 2, 3]) {
        for (const more of [0, 1]) {
          const part = data.subarray(0, pieces * hash.HASHING_PIECE + more)
          let between = 0
          const digest = hash.hashInPieces(name, part, () => (between += 1))
          expect(toHex(digest), name).to.equal(toHex(at_once[name](part)))
          expect(between).to.equal(Math.max(0, pieces + more - 1))
        }
      }
    }
    const leave = (): never => {
      throw new Error('enough')
    }
    expect(() => hash.hashInPieces('sha256', data, leave)).to.throw('enough')
  })

  it('have the published digests', () => {
    const abc = utf8ToBytes('abc')
    expect(toHex(hash.sha256(abc))).to.equal(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    expect(toHex(hash.keccak256(abc))).to.equal(
      '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
    )
    expect(toHex(hash.sha3_256(abc))).to.equal(
      '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532',
    )
  })

  it('RIPEMD-160 has the digests of its paper, with OpenSSL and without', () => {
    for (const isPresent of [true, false]) {
      const ripemd160 = chooseRipemd160(isPresent)
      const digest = (text: string): string => toHex(ripemd160.hash(utf8ToBytes(text)))
      expect(digest('')).equal('9c1185a5c5e9fc54612808977ee8f548b2258d31')
      expect(digest('abc')).equal('8eb208f7e05d987a9b044a8e98c6b087f15a0bfc')
      expect(digest('message digest')).equal('5d0689ef49d2fae572b881b123a85ffa21595f36')
      expect(digest('1234567890'.repeat(8))).equal('9b752e45573d4b39f4dbd3323cab82bf63326bfb')
      const parts = ripemd160.stream().update(utf8ToBytes('message ')).update(utf8ToBytes('digest'))
      expect(toHex(parts.digest())).equal(digest('message digest'))
    }
    expect(toHex(createRipemd160().digest())).equal('9c1185a5c5e9fc54612808977ee8f548b2258d31')
  })

  it('give a plain array of their own, and read views', () => {
    const source = Uint8Array.of(9, 1, 2, 3, 9)
    const digest = hash.sha256(source.subarray(1, 4))
    expect(toHex(digest)).to.equal(toHex(hash.sha256(Uint8Array.of(1, 2, 3))))
    expect(Object.getPrototypeOf(digest)).to.equal(Uint8Array.prototype)
    digest.fill(0)
    expect(hash.sha256(source.subarray(1, 4))[0]).to.equal(0x03)
  })
})
