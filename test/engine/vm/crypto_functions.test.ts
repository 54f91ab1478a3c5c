import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ripemd160, sha1, sha256, sha512 } from '../../../src/engine/crypto/hash.ts'
import { publicKeyOf, signDigest, recoverKey } from '../../../src/engine/crypto/keys.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { Deadline, FakeContext } from './fake_context.ts'
import { HostCaller } from './host_caller.ts'
import { expectError } from './support.ts'

interface Case {
  inputs: string[]
  count?: number
  returns: number
  output: string
}

/** Known values: those of the reference's own tests, and for points outside of the subgroup its library's. */
const CASES = JSON.parse(
  readFileSync(new URL('../../fixtures/crypto/primitives.json', import.meta.url), 'utf8'),
) as Record<string, Case[]>

/** Lays the inputs out one after another, and the output after them. */
function callWith(
  name: string,
  { inputs, count, output }: Case,
  ctx?: FakeContext,
): [number, string] {
  const h = new HostCaller(ctx, 4)
  h.ctx.speculative_block = false
  let at = 16
  const ranges = inputs.map((hex) => {
    const bytes = fromHex(hex.toLowerCase())
    const range = [h.put(at, bytes), bytes.length]
    at += bytes.length
    return range
  })
  const args = ranges.flat()
  if (name === 'blake2_f') {
    // Rounds and the flag of the last block are numbers.
    args.splice(0, 2, Number.parseInt(inputs[0]!, 16))
    args.splice(9, 2, Number(inputs[5]))
  }
  if (count !== undefined) args.push(count)
  const size = output.length / 2
  if (name !== 'alt_bn128_pair') args.push(at, size)
  return [Number(h.call(name, ...args)), toHex(h.vm.u8.slice(at, at + size))]
}

describe('crypto primitives', () => {
  for (const [name, cases] of Object.entries(CASES)) {
    it(`${name} has known values`, () => {
      for (const one of cases) {
        const [returned, output] = callWith(name, one)
        expect(returned).equal(one.returns)
        if (returned === 0) expect(output).equal(one.output)
      }
    })
  }

  it('sha3 and Keccak', () => {
    const h = new HostCaller()
    h.call('sha3', 0, 0, 100, 32, 0)
    expect(toHex(h.vm.u8.slice(100, 132))).equal(
      'a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a',
    )
    h.call('sha3', 0, 0, 200, 4, 1)
    expect(toHex(h.vm.u8.slice(200, 206))).equal('c5d246010000')
  })

  it('refuse ranges that overlap', () => {
    const h = new HostCaller()
    const alias = (): unknown => h.call('sha3', 0, 10, 9, 32, 0)
    expectError(alias, 'wasm_exception', 'pointers not allowed to alias')
    h.call('sha3', 0, 10, 10, 32, 0)
  })

  it('limit mod_exp while a block is built', () => {
    const h = new HostCaller()
    const long = (): unknown => h.call('mod_exp', 0, 1, 10, 3, 20, 2, 30, 2)
    const name = 'subjective_block_production_exception'
    expectError(long, name, 'exponent bit size cannot exceed')
    const large = (): unknown => h.call('mod_exp', 0, 1, 100, 2048, 4000, 4096, 20000, 4096)
    expectError(large, name, 'bit size too large')
    expect(h.call('mod_exp', 0, 1, 10, 1, 20, 0, 30, 2)).equal(-1)
    // A modulus of zero gives zeros.
    h.put(30, [9, 9])
    expect(h.call('mod_exp', 0, 1, 10, 1, 20, 2, 30, 2)).equal(0)
    expect(h.bytes(30, 2)).deep.equal([0, 0])
  })
})

describe('lists of BLS points', () => {
  const LISTS = { bls_g1_weighted_sum: 96, bls_g2_weighted_sum: 192, bls_pairing: 576 }

  it('of other lengths than their count fail', () => {
    for (const [name, size] of Object.entries(LISTS)) {
      const h = new HostCaller()
      for (const count of [0, 1, 1 << 26, 1 << 28, -1]) {
        const [a, b] = count === 1 ? [95, 32] : [96, 32]
        expect(h.call(name, 64, a, 400, b, count, 1000, size), `${name} ${count}`).equal(-1)
      }
    }
  })

  it('whose lengths are right modulo 2^32 are read up to the end of memory', () => {
    for (const [name, size] of Object.entries(LISTS)) {
      const h = new HostCaller()
      // Zeros are points at infinity.
      for (const count of [1 << 27, 1 << 28, 1 << 31, (31 << 27) | 0]) {
        const call = (): unknown => h.call(name, 65536 - 400, 0, 65536 - 600, 0, count, 0, size)
        expectError(call, 'wasm_execution_error', 'access violation')
      }
      h.put(65536 - 400, [1])
      expect(h.call(name, 65536 - 400, 0, 65536 - 600, 0, 1 << 27, 0, size)).equal(-1)
      expect(h.call(name, 65536 - 400, 0, 65536 - 600, 0, 1 << 27, 0, size - 1)).equal(-1)
    }
  })
})

describe('time', () => {
  const late = (budget: number): FakeContext => {
    const ctx = new FakeContext('contract')
    ctx.budget = budget
    return ctx
  }

  it('is looked at between the pieces of long data', () => {
    for (const name of ['sha1', 'sha256', 'sha512', 'ripemd160']) {
      new HostCaller(late(4)).call(name, 0, 50 * 1024, 60000)
      const call = (): unknown => new HostCaller(late(3)).call(name, 0, 50 * 1024, 60000)
      expect(call, name).throw(Deadline)
    }
    for (const keccak of [0, 1]) {
      const call = (): unknown => new HostCaller(late(3)).call('sha3', 0, 50000, 60000, 32, keccak)
      expect(call).throw(Deadline)
    }
  })

  it('is looked at when a pairing is done', () => {
    for (const name of ['bls_pairing', 'alt_bn128_pair']) {
      const one = CASES[name]!.find(({ returns }) => returns === 0)!
      const ctx = new FakeContext('contract')
      callWith(name, one, ctx)
      expect(ctx.checks, name).greaterThan(one.count ?? one.inputs[0]!.length / 384)
      expect(() => callWith(name, one, late(ctx.checks - 1)), name).throw(Deadline)
    }
  })
})

describe('hash functions', () => {
  it('write the hash, and their assertions compare it', () => {
    const hashes = { sha1, sha256, sha512, ripemd160 }
    for (const [name, hash] of Object.entries(hashes)) {
      const h = new HostCaller()
      h.put(0, [1, 2, 3])
      const expected = hash(new Uint8Array([1, 2, 3]))
      h.call(name, 0, 3, 100)
      expect(h.bytes(100, expected.length)).deep.equal([...expected])
      h.call(`assert_${name}`, 0, 3, 100)
      const wrong = (): unknown => h.call(`assert_${name}`, 0, 2, 100)
      expectError(wrong, 'crypto_api_exception', 'hash mismatch')
    }
  })
})

describe('key recovery', () => {
  const secret = { type: 0 as const, data: sha256(new Uint8Array([1])) }
  const digest = sha256(new Uint8Array([2]))
  const signature = signDigest(secret, digest)
  const key = publicKeyOf(secret)
  const filled = (): HostCaller => {
    const h = new HostCaller()
    h.put(64, digest)
    h.put(128, signature)
    h.put(256, key)
    return h
  }

  it('gives the packed key', () => {
    const h = filled()
    expect(h.call('recover_key', 64, 128, signature.length, 512, 34)).equal(34)
    expect(h.bytes(512, 34)).deep.equal([...key])
    const small = (): unknown => h.call('recover_key', 64, 128, signature.length, 512, 10)
    expectError(small, 'out_of_range_exception', 'write datastream of length 10 over by -8')
    const cut = (): unknown => h.call('recover_key', 64, 128, 5, 512, 34)
    expectError(cut, 'out_of_range_exception', 'read datastream')
  })

  it('takes signatures that are not canonical, which transactions may not have', () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high = order - BigInt(`0x${Buffer.from(signature.subarray(34)).toString('hex')}`)
    const other = signature.slice()
    other[1] = 27 + 4 + ((other[1]! - 31) ^ 1)
    other.set(Buffer.from(high.toString(16).padStart(64, '0'), 'hex'), 34)
    expectError(() => recoverKey(other, digest), 'assert_exception', 'signature is not canonical')
    const h = filled()
    h.put(128, other)
    expect(h.call('recover_key', 64, 128, other.length, 512, 34)).equal(34)
    expect(h.bytes(512, 34)).deep.equal([...key])
    h.call('assert_recover_key', 64, 128, other.length, 256, key.length)
  })

  it('has an assertion, which fails for another key', () => {
    const h = filled()
    h.call('assert_recover_key', 64, 128, signature.length, 256, key.length)
    h.vm.u8[64]! ^= 1
    const wrong = (): unknown =>
      h.call('assert_recover_key', 64, 128, signature.length, 256, key.length)
    expectError(wrong, 'crypto_api_exception', 'expected key different than recovered key')
  })

  it('wants types that are activated', () => {
    const h = filled()
    h.ctx.num_supported_key_types = 0
    const recover = (): unknown => h.call('recover_key', 64, 128, signature.length, 512, 34)
    expectError(recover, 'unactivated_signature_type', 'used during recover_key')
  })
})
