/**
 * The used methods of a point of @noble/curves. Addition is complete, so it holds for any two
 * points.
 */
export interface GroupPoint<P> {
  add(other: P): P
  double(): P
}

/**
 * k·point for any k ≥ 0 and any point of the curve, in the prime subgroup or not: the library's
 * own multiplication reduces k by the subgroup's order.
 */
export function multiplyPoint<P extends GroupPoint<P>>(point: P, k: bigint, zero: P): P {
  let sum = zero
  for (const bit of k.toString(2)) {
    sum = sum.double()
    if (bit === '1') sum = sum.add(point)
  }
  return sum
}

/** Number from bytes, the most significant first. */
export function bigintFromBytesBE(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

/** The unsigned integer of little-endian bytes. */
export function bigintFromBytesLE(bytes: Uint8Array): bigint {
  return bigintFromBytesBE(Uint8Array.from(bytes).reverse())
}

/** An unsigned integer as `size` big-endian bytes. */
export function bigintToBytesBE(value: bigint, size: number): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(2 * size, '0'), 'hex'))
}

/** An unsigned integer as `size` little-endian bytes. */
export function bigintToBytesLE(value: bigint, size: number): Uint8Array {
  return bigintToBytesBE(value, size).reverse()
}
