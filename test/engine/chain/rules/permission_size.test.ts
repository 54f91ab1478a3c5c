/** RAM that is billed for permissions: what an authority lists, by kind. */
import { expect } from 'chai'
import {
  billableAuthoritySize,
  billablePermissionSize,
} from '../../../../src/engine/chain/rules/authorization/permissions.ts'
import type { Authority } from '../../../../src/engine/protocol/authority.ts'
import { N } from '../../../../src/engine/protocol/name.ts'

const K1 = 0
const WEBAUTHN = 2
/** Of a key beside its bytes. */
const WEIGHT = 16

function authority(...keys: Uint8Array[]): Authority {
  return { threshold: 1, keys: keys.map((key) => ({ key, weight: 1 })), accounts: [], waits: [] }
}

function key(type: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes[0] = type
  return bytes
}

describe('the RAM of a permission', () => {
  const empty = authority()
  const ofKey = (type: number, length: number) =>
    billableAuthoritySize(authority(key(type, length))) - WEIGHT

  it('is that of a key of a fixed size: its bytes', () => {
    expect(ofKey(K1, 34)).equal(34)
  })

  it('is that of a WebAuthn key: its bytes, and the length of what follows its type as a varint', () => {
    for (const [followed_by, length_bytes] of [
      [36, 1],
      [0x7f, 1],
      [0x80, 2],
      [0x3fff, 2],
      [0x4000, 3],
    ] as const) {
      const length = 1 + followed_by
      expect(ofKey(WEBAUTHN, length), `${followed_by} bytes`).equal(length + length_bytes)
    }
  })

  it('is the sum of what is listed', () => {
    const account = { permission: { actor: N('alice'), permission: N('active') }, weight: 1 }
    const wait = { wait_sec: 10, weight: 1 }
    expect(billableAuthoritySize(empty)).equal(0)
    expect(billableAuthoritySize({ ...empty, accounts: [account, account] })).equal(2 * 32)
    expect(billableAuthoritySize({ ...empty, waits: [wait] })).equal(16)
    const all = { ...authority(key(K1, 34), key(WEBAUTHN, 50)), accounts: [account], waits: [wait] }
    expect(billableAuthoritySize(all)).equal(34 + WEIGHT + 51 + WEIGHT + 32 + 16)
    expect(billablePermissionSize(all) - billablePermissionSize(empty)).equal(
      billableAuthoritySize(all),
    )
  })
})
