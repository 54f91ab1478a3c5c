/**
 * Points of the two groups of a pairing whose multiples of the generators are known, so that a
 * pairing can be told without computing one: e(aP, bQ) = e(P, Q)^ab.
 */
import { ALT_BN128, BLS12_381, multiplyPoint } from './curves.ts'
import type { Curve, Point } from './curves.ts'
import { multiplyPairPoint } from './pairs.ts'
import type { PairPoint } from './pairs.ts'

/** Packs coordinates; of infinity zeros. */
export type Packing = (coordinates: readonly bigint[]) => Uint8Array

export class KnownPoints {
  readonly curve: Curve
  private readonly second: PairPoint
  private readonly first_by_bytes = new Map<string, bigint>()
  private readonly second_by_bytes = new Map<string, bigint>()
  private readonly made = new Map<string, Uint8Array>()
  private readonly packing: Packing

  constructor(curve: Curve, second: PairPoint, packing: Packing) {
    this.curve = curve
    this.second = second
    this.packing = packing
  }

  /** The bytes of that multiple of the generator of a group. */
  point(group: 1 | 2, multiple: bigint): Uint8Array {
    const name = `${group} ${multiple}`
    let bytes = this.made.get(name)
    if (!bytes) {
      bytes = group === 1 ? this.pack1(multiple) : this.pack2(multiple)
      this.made.set(name, bytes)
      const known = group === 1 ? this.first_by_bytes : this.second_by_bytes
      known.set(Buffer.from(bytes).toString('hex'), multiple)
    }
    return bytes
  }

  /** Which multiple of the generator bytes are; undefined where they are none that was made. */
  multipleOf(group: 1 | 2, bytes: Uint8Array): bigint | undefined {
    const known = group === 1 ? this.first_by_bytes : this.second_by_bytes
    return known.get(Buffer.from(bytes).toString('hex'))
  }

  private pack1(multiple: bigint): Uint8Array {
    const point: Point = multiplyPoint(this.curve, this.curve.generator, multiple)
    return this.packing(point ? [point.x, point.y] : [0n, 0n])
  }

  private pack2(multiple: bigint): Uint8Array {
    const point = multiplyPairPoint(this.curve.p, this.second, multiple)
    return this.packing(point ? [...point.x, ...point.y] : [0n, 0n, 0n, 0n])
  }
}

const number = (value: bigint, bytes: number): Buffer =>
  Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')

/** Big-endian; of pairs the second number first. */
function packAltBn128(coordinates: readonly bigint[]): Uint8Array {
  const [a, b, c, d] = coordinates
  const ordered = coordinates.length === 4 ? [b!, a!, d!, c!] : coordinates
  return Buffer.concat(ordered.map((value) => number(value, 32)))
}

const packBls = (coordinates: readonly bigint[]): Uint8Array =>
  Buffer.concat(coordinates.map((value) => number(value, 48).reverse()))

export const ALT_BN128_POINTS = new KnownPoints(
  ALT_BN128,
  {
    x: [
      10857046999023057135944570762232829481370756359578518086990519993285655852781n,
      11559732032986387107991004021392285783925812861821192530917403151452391805634n,
    ],
    y: [
      8495653923123431417604973247489272438418190587263600148770280649306958101930n,
      4082367875863433681332203403145435568316851327593401208105741076214120093531n,
    ],
  },
  packAltBn128,
)

export const BLS_POINTS = new KnownPoints(
  BLS12_381,
  {
    x: [
      0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
      0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
    ],
    y: [
      0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801n,
      0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79ben,
    ],
  },
  packBls,
)
