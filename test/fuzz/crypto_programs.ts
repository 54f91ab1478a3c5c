import { toBigEndian, writePoint } from './naive/crypto_operations.ts'
import { ALT_BN128, SECP256K1, multiplyPoint, sign } from './naive/curves.ts'
import { blsProgram, keyRecovery, pairingCheck } from './pairing_programs.ts'
import type { Program } from './program.ts'
import type { Random } from './random.ts'

/** One operation of the crypto primitives, mostly with operands that are right. */
export function cryptography(p: Program, r: Random): void {
  // Curves are slow in the naive form.
  if (r.once(8))
    return r.pick([blsProgram, blsProgram, pairingCheck, keyRecovery, keyRecovery])(p, r)
  const op = r.pick([66, 66, 67, 67, 68, 68, 68, r.once(3) ? r.pick([63, 64, 69, 69]) : 68])
  p.u8(op)
  if (op === 63) p.bytes(point(r)).bytes(point(r)).u32(room(r, 64))
  else if (op === 64)
    p.bytes(point(r))
      .bytes(spoiled(r, r.bytes(32)))
      .u32(room(r, 64))
  else if (op === 66) modularPower(p, r)
  else if (op === 67) compression(p, r)
  else if (op === 68)
    p.bytes(r.bytes(r.below(300)))
      .u32(room(r, 32))
      .u8(r.below(3))
  else recovery(p, r)
}

/** Room for a result: enough, or not. */
const room = (r: Random, size: number): number =>
  r.once(10) ? r.below(size) : size + (r.once(4) ? r.below(10) : 0)

/** Bytes that are sometimes too short, or changed in one place. */
function spoiled(r: Random, bytes: Uint8Array): Uint8Array {
  if (r.once(20)) return bytes.subarray(0, r.below(bytes.length))
  if (!r.once(20)) return bytes
  const changed = bytes.slice()
  changed[r.below(bytes.length)]! ^= 1 << r.below(8)
  return changed
}

function point(r: Random): Uint8Array {
  if (r.once(10)) return new Uint8Array(64)
  const { generator, p } = ALT_BN128
  const found = multiplyPoint(ALT_BN128, generator, r.pick([1n, 2n, 3n, r.bits(16), r.bits(254)]))
  if (found && r.once(15)) return writePoint({ x: found.x + p, y: found.y })
  const negative = found && r.once(10) ? { x: found.x, y: p - found.y } : found
  return spoiled(r, writePoint(negative))
}

function modularPower(p: Program, r: Random): void {
  const size = r.below(20)
  const exponent = r.below(r.once(30) ? 30 : size + 1)
  const modulus = r.once(10) ? new Uint8Array(size) : r.bytes(size)
  const base = r.bytes(r.below(24))
  p.bytes(base).bytes(r.bytes(exponent)).bytes(modulus).u32(room(r, size))
}

function compression(p: Program, r: Random): void {
  p.u32(r.pick([0, 1, 10, 12, 13]))
  for (const size of [64, 128, 8, 8]) p.bytes(r.once(40) ? r.bytes(size - 1) : r.bytes(size))
  p.u8(r.below(3)).u32(room(r, 64))
}

/** Signatures of every kind: with high s too, with wrong numbers, of another digest. */
function recovery(p: Program, r: Random): void {
  const { order } = SECP256K1
  const digest = r.bytes(32)
  const value = BigInt(`0x${Buffer.from(digest).toString('hex')}`)
  const { r: x, s, recovery } = sign(SECP256K1, 1n + r.bits(250), 1n + r.bits(250), value)
  const high = r.once(2)
  const first = 27 + ((high ? recovery ^ 1 : recovery) | (r.once(2) ? 4 : 0))
  const edges = [0n, 1n, order, order - 1n, (1n << 256n) - 1n, r.bits(128)]
  const pick = (number: bigint): Uint8Array => toBigEndian(r.once(15) ? r.pick(edges) : number, 32)
  const signature = new Uint8Array(65)
  signature[0] = r.once(8) ? r.below(256) : first
  signature.set(pick(x), 1)
  signature.set(pick(high ? order - s : s), 33)
  p.bytes(spoiled(r, signature)).bytes(r.once(30) ? digest.subarray(1) : digest)
  p.u32(room(r, 65))
}
