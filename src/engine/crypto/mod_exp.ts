import { bigintFromBytesBE, bigintToBytesBE } from './group.ts'

/**
 * base^exponent mod modulus, all big-endian. The result has the length of the modulus; it is
 * undefined if the modulus is empty. A modulus of zero gives zeros (spring: libfc
 * modular_arithmetic.cpp).
 */
export function modExp(
  base: Uint8Array,
  exponent: Uint8Array,
  modulus: Uint8Array,
  checktime: () => void,
): Uint8Array | undefined {
  if (modulus.length === 0) return undefined
  const m = bigintFromBytesBE(modulus)
  if (m === 0n) return new Uint8Array(modulus.length)
  const b = bigintFromBytesBE(base) % m
  let result = 1n % m
  let steps = 0
  for (const bit of bigintFromBytesBE(exponent).toString(2)) {
    result = (result * result) % m
    if (bit === '1') result = (result * b) % m
    if ((++steps & 15) === 0) checktime()
  }
  return bigintToBytesBE(result, modulus.length)
}
