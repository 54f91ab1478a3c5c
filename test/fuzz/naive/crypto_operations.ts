import { blsOperation } from './bls_operations.ts'
import {
  ALT_BN128,
  P256,
  SECP256K1,
  addPoints,
  isOnCurve,
  multiplyPoint,
  power,
  recoverKey,
} from './curves.ts'
import type { Point } from './curves.ts'
import { Failure } from './failure.ts'
import { ALT_BN128_POINTS } from './known_points.ts'
import type { Machine } from './machine.ts'
import { blake2bCompress, keccak256, readLanes, writeLanes } from './permutations.ts'
import { hexText } from './printing.ts'

export const bigEndian = (bytes: Uint8Array): bigint =>
  BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)

export function toBigEndian(value: bigint, length: number): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * length, '0'), 'hex')
}

/** Prints the code, and the room that was given for a result, which is zeros if there is none. */
function answer(m: Machine, result: Uint8Array | undefined, room: number, most: number): void {
  const length = Math.min(room, most)
  const fits = result !== undefined && result.length <= length
  m.print(fits ? 0 : -1)
  m.print(',')
  m.buffer.fill(0, 0, most)
  if (fits) m.buffer.set(result)
  m.print(hexText(m.buffer.subarray(0, length)))
}

/** Opcodes 63 to 70. */
export function cryptoOperation(m: Machine, op: number): void {
  switch (op) {
    case 63:
      return curveOperation(m, (a, b) => {
        const [p, q] = [readPoint(a), readPoint(b)]
        return p && q && writePoint(addPoints(ALT_BN128, p.point, q.point))
      })
    case 64:
      return curveOperation(m, (a, scalar) => {
        const p = readPoint(a)
        if (!p || scalar.length !== 32) return undefined
        return writePoint(multiplyPoint(ALT_BN128, p.point, bigEndian(scalar)))
      })
    case 65:
      return m.print(pairingCheck(m.bytes()))
    case 66:
      return modularPower(m)
    case 67:
      return compression(m)
    case 68:
      return keccak(m)
    case 69:
      return recovery(m)
    default:
      return blsOperation(m)
  }
}

function curveOperation(
  m: Machine,
  compute: (a: Uint8Array, b: Uint8Array) => Uint8Array | undefined,
): void {
  const [a, b] = [m.bytes(), m.bytes()]
  answer(m, compute(a, b), m.u32(), 512)
}

/** Undefined where the bytes are not a point; zeros are infinity. */
function readPoint(bytes: Uint8Array): { point: Point } | undefined {
  if (bytes.length !== 64) return undefined
  const [x, y] = [bigEndian(bytes.subarray(0, 32)), bigEndian(bytes.subarray(32))]
  if (x === 0n && y === 0n) return { point: undefined }
  return isOnCurve(ALT_BN128, { x, y }) ? { point: { x, y } } : undefined
}

export function writePoint(point: Point): Uint8Array {
  const { x, y } = point ?? { x: 0n, y: 0n }
  return Buffer.concat([toBigEndian(x, 32), toBigEndian(y, 32)])
}

function modularPower(m: Machine): void {
  const [base, exponent, modulus] = [m.bytes(), m.bytes(), m.bytes()]
  const room = m.u32()
  if (exponent.length > Math.max(base.length, modulus.length)) {
    throw new Failure(
      'subjective_block_production_exception',
      'mod_exp restriction: exponent bit size cannot exceed bit size of either base or modulus',
    )
  }
  const by = bigEndian(modulus)
  const value = by === 0n ? 0n : power(bigEndian(base) % by, bigEndian(exponent), by)
  const result = modulus.length === 0 ? undefined : toBigEndian(value, modulus.length)
  answer(m, result, room, 2048)
}

function compression(m: Machine): void {
  const rounds = m.u32()
  const [state, message, t0, t1] = [m.bytes(), m.bytes(), m.bytes(), m.bytes()] as const
  const final = m.u8() === 1
  const right = state.length === 64 && message.length === 128 && t0.length === 8 && t1.length === 8
  const counter = (bytes: Uint8Array): bigint => readLanes(bytes)[0]!
  const result = right
    ? writeLanes(
        blake2bCompress(
          rounds,
          readLanes(state),
          readLanes(message),
          [counter(t0), counter(t1)],
          final,
        ),
      )
    : undefined
  answer(m, result, m.u32(), 128)
}

/** As much of the hash as there is room for. */
function keccak(m: Machine): void {
  const data = m.bytes()
  const room = Math.min(m.u32(), 128)
  const hash = keccak256(data, m.u8() === 1 ? 1 : 6)
  m.buffer.fill(0, 0, 128)
  m.buffer.set(hash.subarray(0, room))
  m.print(hexText(m.buffer.subarray(0, room)))
}

function recovery(m: Machine): void {
  const [signature, digest] = [m.bytes(), m.bytes()]
  const room = m.u32()
  const first = signature[0] ?? 0
  let key: Point
  if (signature.length === 65 && digest.length === 32 && first >= 27 && first < 35) {
    const [r, s] = [bigEndian(signature.subarray(1, 33)), bigEndian(signature.subarray(33))]
    key = recoverKey(SECP256K1, { r, s, recovery: (first - 27) & 3 }, bigEndian(digest))
  }
  answer(m, key && Buffer.concat([Uint8Array.of(4), writePoint(key)]), room, 128)
}

/** 0 where the product of the pairings is one, told by what the points are multiples of. */
function pairingCheck(pairs: Uint8Array): number {
  if (pairs.length % 192 !== 0) return -1
  let exponent = 0n
  for (let at = 0; at < pairs.length; at += 192) {
    const a = ALT_BN128_POINTS.multipleOf(1, pairs.subarray(at, at + 64))
    const b = ALT_BN128_POINTS.multipleOf(2, pairs.subarray(at + 64, at + 192))
    if (a === undefined || b === undefined) return -1
    exponent += a * b
  }
  return exponent % ALT_BN128.order === 0n ? 0 : 1
}

const NO_KEY = 'unable to reconstruct public key from signature'
const NOT_PARSED =
  'secp256k1_ecdsa_recoverable_signature_parse_compact( detail::_get_context(), &secp_sig, ' +
  '(unsigned char*)c.begin() + 1, (*c.begin() - 27) & 3): '
const NOT_RECOVERED =
  'secp256k1_ecdsa_recover( detail::_get_context(), &secp_pub, &secp_sig, ' +
  '(unsigned char*) digest.data() ): '

/** Opcodes 61 and 62: the packed key of a packed signature is printed, or compared. */
export function keyOperation(m: Machine, op: number): void {
  const [digest, signature] = [m.bytes(), m.bytes()]
  if (op === 61) {
    m.u32()
    const key = packedKey(signature, digest)
    m.print(`${key.length},`)
    m.buffer.set(key)
    return m.print(hexText(key))
  }
  const expected = m.bytes()
  if (packedKey(signature, digest).equals(expected)) return
  throw new Failure('crypto_api_exception', 'Error expected key different than recovered key')
}

function packedKey(signature: Uint8Array, digest: Uint8Array): Buffer {
  const [type, first] = [signature[0]!, signature[1]!]
  const [r, s] = [bigEndian(signature.subarray(2, 34)), bigEndian(signature.subarray(34))]
  if (first < 27 || first >= 35) throw new Failure('exception', NO_KEY)
  const curve = type === 0 ? SECP256K1 : P256
  if (type === 1 && s > curve.order / 2n) {
    throw new Failure('exception', 'invalid high s-value encountered in r1 signature')
  }
  if (type === 0 && (r >= curve.order || s >= curve.order)) {
    throw new Failure('assert_exception', NOT_PARSED)
  }
  const point = recoverKey(curve, { r, s, recovery: (first - 27) & 3 }, bigEndian(digest))
  if (!point) {
    throw type === 0
      ? new Failure('assert_exception', NOT_RECOVERED)
      : new Failure('exception', NO_KEY)
  }
  return Buffer.concat([Buffer.of(type, 2 + Number(point.y % 2n)), toBigEndian(point.x, 32)])
}
