/**
 * Authorities: who must sign. spring: libraries/chain/include/eosio/chain/authority.hpp
 */
import { comparePublicKeys, readPublicKey, writePublicKey } from './key.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** `alice@active`. */
export interface PermissionLevel {
  actor: bigint
  permission: bigint
}

/** A public key with its weight in an authority. */
export interface KeyWeight {
  key: Uint8Array
  weight: number
}

/** A permission of an account with its weight in an authority. */
export interface PermissionLevelWeight {
  permission: PermissionLevel
  weight: number
}

/** A delay in seconds with its weight in an authority. */
export interface WaitWeight {
  wait_sec: number
  weight: number
}

/** An authority: the weights of signers must reach the threshold. */
export interface Authority {
  threshold: number
  keys: KeyWeight[]
  accounts: PermissionLevelWeight[]
  waits: WaitWeight[]
}

/** Writes a permission level in the wire format: actor and permission. */
export function packPermissionLevel(w: Writer, level: PermissionLevel): void {
  w.u64(level.actor)
  w.u64(level.permission)
}

/** Reads a permission level in the wire format. */
export function unpackPermissionLevel(r: Reader): PermissionLevel {
  return { actor: r.u64(), permission: r.u64() }
}

/** Order by actor, then permission. */
export function comparePermissionLevels(a: PermissionLevel, b: PermissionLevel): number {
  if (a.actor !== b.actor) return a.actor < b.actor ? -1 : 1
  if (a.permission !== b.permission) return a.permission < b.permission ? -1 : 1
  return 0
}

/** Writes a public key with its weight in the wire format. */
export function packKeyWeight(w: Writer, kw: KeyWeight): void {
  writePublicKey(w, kw.key)
  w.u16(kw.weight)
}

/** Reads a public key with its weight in the wire format. */
export function unpackKeyWeight(r: Reader): KeyWeight {
  return { key: readPublicKey(r), weight: r.u16() }
}

/**
 * Writes an authority in the wire format. spring: libraries/chain/include/eosio/chain/authority.hpp
 */
export function packAuthority(w: Writer, authority: Authority): void {
  w.u32(authority.threshold)
  w.array(authority.keys, packKeyWeight)
  w.array(authority.accounts, (w, a) => {
    packPermissionLevel(w, a.permission)
    w.u16(a.weight)
  })
  w.array(authority.waits, (w, a) => {
    w.u32(a.wait_sec)
    w.u16(a.weight)
  })
}

/** Reads an authority in the wire format. */
export function unpackAuthority(r: Reader): Authority {
  return {
    threshold: r.u32(),
    keys: r.array(unpackKeyWeight),
    accounts: r.array((r) => ({ permission: unpackPermissionLevel(r), weight: r.u16() })),
    waits: r.array((r) => ({ wait_sec: r.u32(), weight: r.u16() })),
  }
}

/** True when each next item is greater than the one before. */
function ascending<T>(items: readonly T[], compare: (a: T, b: T) => number): boolean {
  for (let i = 1; i < items.length; i++) {
    if (compare(items[i - 1] as T, items[i] as T) >= 0) return false
  }
  return true
}

/**
 * True when keys, accounts and waits are each sorted and unique, no wait is 0 seconds, and the
 * weights reach a threshold above 0.
 */
export function validateAuthority(authority: Authority): boolean {
  const { threshold, keys, accounts, waits } = authority
  // Keeps the sum of 16-bit weights within 32 bits.
  if (keys.length + accounts.length + waits.length > 1 << 16) return false
  if (threshold === 0) return false
  if (!ascending(keys, (a, b) => comparePublicKeys(a.key, b.key))) return false
  if (!ascending(accounts, (a, b) => comparePermissionLevels(a.permission, b.permission)))
    return false
  if (waits[0]?.wait_sec === 0) return false
  if (!ascending(waits, (a, b) => a.wait_sec - b.wait_sec)) return false
  let total = 0
  for (const list of [keys, accounts, waits]) for (const { weight } of list) total += weight
  // The reference's sum is 32 bits wide: 65536 weights of 65535 still fit.
  return total >= threshold
}

/** An authority of one key, or of one key after a delay of `delay_sec`. */
export function keyAuthority(key: Uint8Array, delay_sec = 0): Authority {
  return {
    threshold: delay_sec > 0 ? 2 : 1,
    keys: [{ key, weight: 1 }],
    accounts: [],
    waits: delay_sec > 0 ? [{ wait_sec: delay_sec, weight: 1 }] : [],
  }
}
