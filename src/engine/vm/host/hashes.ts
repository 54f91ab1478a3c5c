import { hashInPieces } from '../../crypto/hash.ts'
import type { HashName } from '../../crypto/hash.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import type { WasmInstance } from '../instance.ts'
import { refuse } from '../refuse.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Bytes hashed in the time of one unit of work. */
const BYTES_PER_UNIT = 32

/**
 * Hashes data. The ranges of data and digest are checked first, the last argument before the
 * others.
 */
function digestOf(
  vm: WasmInstance,
  name: HashName,
  [ptr, length]: [number, number],
  [digest, size]: [number, number],
): Uint8Array {
  vm.checkPointer(digest, size)
  vm.check(ptr, length)
  vm.spend(20 + (length >>> 0) / BYTES_PER_UNIT)
  return hashInPieces(name, vm.bytes(ptr, length), () => vm.ctx.checktime())
}

/** A hash function and its assertion (spring: webassembly/crypto.cpp). */
function pair(name: HashName, size: number): HostFunctions {
  return {
    [name]: hostFunction('iii', 'any', (vm) => (ptr: number, length: number, digest: number) => {
      vm.u8.set(digestOf(vm, name, [ptr, length], [digest, size]), digest >>> 0)
    }),
    [`assert_${name}`]: hostFunction(
      'iii',
      'any',
      (vm) => (ptr: number, length: number, digest: number) => {
        const result = digestOf(vm, name, [ptr, length], [digest, size])
        if (bytesEqual(result, vm.bytes(digest, size))) return
        refuse('crypto_api_exception', 'hash mismatch')
      },
    ),
  }
}

/** Host functions that hash. */
export const hashFunctions: HostFunctions = {
  ...pair('sha1', 20),
  ...pair('sha256', 32),
  ...pair('sha512', 64),
  ...pair('ripemd160', 20),
}
