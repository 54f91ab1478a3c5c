import { expect } from 'chai'
import fc from 'fast-check'
import { Authority as ClientAuthority, Serializer } from '@wharfkit/antelope'
import type { Authority } from '../../../src/engine/protocol/authority.ts'
import {
  keyAuthority,
  packAuthority,
  unpackAuthority,
  validateAuthority,
} from '../../../src/engine/protocol/authority.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import { packOne } from '../../../src/engine/protocol/writer.ts'
import { authority } from './arbitrary.ts'

const key = (n: number): Uint8Array => new Uint8Array(34).fill(n, 1)
const level = (actor: bigint, permission = 1n) => ({ actor, permission })

describe('authorities', () => {
  it('give the same fields from their bytes', () => {
    fc.assert(
      fc.property(authority, (value) => {
        const bytes = packOne(packAuthority, value)
        expect(unpackAuthority(new Reader(bytes))).to.deep.equal(value)
        const client = Serializer.decode({ data: bytes, type: ClientAuthority })
        expect(client.threshold.toNumber()).to.equal(value.threshold)
        // The client library sorts what it decodes.
        const keys = client.keys.map((k) => k.key.data.hexString)
        expect(keys).to.have.members(value.keys.map((k) => toHex(k.key.subarray(1))))
        const waits = client.waits.map((w) => w.wait_sec.toNumber())
        expect(waits).to.have.members(value.waits.map((w) => w.wait_sec))
      }),
    )
  })

  const base: Authority = keyAuthority(key(1))
  const valid = (change: Partial<Authority>): boolean => validateAuthority({ ...base, ...change })

  it('are valid when weights reach the threshold', () => {
    expect(valid({})).to.equal(true)
    expect(valid({ threshold: 0 })).to.equal(false)
    expect(valid({ threshold: 2 })).to.equal(false)
    expect(validateAuthority(keyAuthority(key(1), 30))).to.equal(true)
    const waits = [{ wait_sec: 30, weight: 1 }]
    const accounts = [{ permission: level(1n), weight: 1 }]
    expect(valid({ threshold: 3, accounts, waits })).to.equal(true)
    expect(valid({ threshold: 4, accounts, waits })).to.equal(false)
  })

  it('must be sorted and unique', () => {
    const keys = (...ns: number[]) => ({ keys: ns.map((n) => ({ key: key(n), weight: 1 })) })
    expect(valid(keys(1, 2))).to.equal(true)
    expect(valid(keys(2, 1))).to.equal(false)
    expect(valid(keys(1, 1))).to.equal(false)
    const accounts = (...levels: { actor: bigint; permission: bigint }[]) => ({
      accounts: levels.map((permission) => ({ permission, weight: 1 })),
    })
    expect(valid(accounts(level(1n, 9n), level(2n)))).to.equal(true)
    expect(valid(accounts(level(1n, 2n), level(1n, 1n)))).to.equal(false)
    expect(valid(accounts(level(1n), level(1n)))).to.equal(false)
    const waits = (...seconds: number[]) => ({
      waits: seconds.map((wait_sec) => ({ wait_sec, weight: 1 })),
    })
    expect(valid(waits(1, 2))).to.equal(true)
    expect(valid(waits(0, 2))).to.equal(false)
    expect(valid(waits(2, 1))).to.equal(false)
    expect(valid(waits(1, 1))).to.equal(false)
  })

  it('have at most 65536 parts', () => {
    const accounts = Array.from({ length: 65536 }, (_, i) => ({
      permission: level(BigInt(i)),
      weight: 65535,
    }))
    expect(valid({ keys: [], accounts, threshold: 0xffff0000 })).to.equal(true)
    expect(valid({ accounts })).to.equal(false)
  })
})
