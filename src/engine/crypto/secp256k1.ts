/**
 * Public key recovery and signing on secp256k1 (K1). Uses the native build of bitcoin-core's
 * library if it can be loaded, otherwise @noble/curves. Both give the same results.
 */
import { secp256k1 as curve } from '@noble/curves/secp256k1.js'
import { NativePackageError, loadNativePackage } from '../native_package.ts'

/** One implementation. Every function throws a plain Error for invalid input. */
export interface Secp256k1 {
  readonly name: 'native' | 'noble'
  /** `rs` is 64 bytes, `recovery` 0..3; gives the compressed key. */
  recover(rs: Uint8Array, recovery: number, digest: Uint8Array): Uint8Array
  /** Signs with the given nonce; `s` is made low. */
  sign(
    digest: Uint8Array,
    secret: Uint8Array,
    nonce: Uint8Array,
  ): { rs: Uint8Array; recovery: number }
  publicKey(secret: Uint8Array): Uint8Array
}

interface NativeModule {
  ecdsaRecover(rs: Uint8Array, recovery: number, digest: Uint8Array, compressed: true): Uint8Array
  ecdsaSign(
    digest: Uint8Array,
    secret: Uint8Array,
    options: { noncefn: () => Uint8Array },
  ): { signature: Uint8Array; recid: number }
  publicKeyCreate(secret: Uint8Array, compressed: true): Uint8Array
}

/**
 * The native implementation.
 * @throws NativePackageError if its build does not load
 */
export function loadNative(): Secp256k1 {
  // The package's own entry would fall back to a slow implementation without saying so.
  const native = loadNativePackage('secp256k1/bindings.js') as NativeModule
  return {
    name: 'native',
    recover: (rs, recovery, digest) => native.ecdsaRecover(rs, recovery, digest, true),
    sign(digest, secret, nonce) {
      let used = false
      const noncefn = (): Uint8Array => {
        // Asked again: this nonce gave no signature.
        if (used) throw new Error('nonce refused')
        used = true
        return nonce
      }
      const { signature, recid } = native.ecdsaSign(digest, secret, { noncefn })
      return { rs: signature, recovery: recid }
    },
    publicKey: (secret) => native.publicKeyCreate(secret, true),
  }
}

const { Point } = curve
const ORDER = Point.Fn.ORDER

function numberOf(bytes: Uint8Array): bigint {
  let n = 0n
  for (const byte of bytes) n = (n << 8n) | BigInt(byte)
  return n
}

/** The implementation that runs everywhere. */
export const noble: Secp256k1 = {
  name: 'noble',
  recover(rs, recovery, digest) {
    const signature = curve.Signature.fromBytes(rs, 'compact').addRecoveryBit(recovery)
    return signature.recoverPublicKey(digest).toBytes(true)
  },
  sign(digest, secret, nonce) {
    const { Fn } = Point
    const k = numberOf(nonce)
    const R = Point.BASE.multiply(k).toAffine()
    const r = Fn.create(R.x)
    const s = Fn.mul(Fn.inv(k), Fn.create(numberOf(digest) + r * numberOf(secret)))
    if (r === 0n || s === 0n) throw new Error('nonce refused')
    let recovery = (R.x >= ORDER ? 2 : 0) | Number(R.y & 1n)
    let low = s
    if (s > ORDER >> 1n) {
      low = ORDER - s
      recovery ^= 1
    }
    return { rs: new curve.Signature(r, low).toBytes('compact'), recovery }
  },
  publicKey: (secret) => curve.getPublicKey(secret, true),
}

interface Choice {
  implementation: Secp256k1
  /** The reason why it is not the native one. */
  failure?: NativePackageError
}

function choose(): Choice {
  try {
    return { implementation: loadNative() }
  } catch (error) {
    if (!(error instanceof NativePackageError)) throw error
    return { implementation: noble, failure: error }
  }
}

const choice = choose()

/** The implementation in use. */
export const secp256k1: Secp256k1 = choice.implementation

/** The reason why the native implementation is not used; undefined if it is used. */
export const native_failure: NativePackageError | undefined = choice.failure
