import { check } from '../../errors.ts'
import { recoverKey } from '../../crypto/keys.ts'
import { refuseBeyondEnd } from '../../protocol/reader.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import { WA, readPublicKey, readSignature } from '../../protocol/key.ts'
import { Reader } from '../../protocol/reader.ts'
import { PUBLIC_KEY, SIGNATURE, readWithContext } from '../../protocol/error_context.ts'
import type { WasmInstance } from '../instance.ts'
import { hostFunction } from './host_function.ts'
import type { HostFunctions } from './host_function.ts'

/** Units of work of a recovery. */
const RECOVERY = 1000
/** Packed size of a key of the first two types. */
const KEY_SIZE = 34
/** Type byte, compact signature. */
const FIXED_SIGNATURE_SIZE = 66

/** spring: webassembly/crypto.cpp */
export const keyRecoveryFunctions: HostFunctions = {
  assert_recover_key: hostFunction(
    'iiiii',
    'any',
    (vm) => (digest: number, sig: number, sig_size: number, pub: number, pub_size: number) => {
      vm.check(pub, pub_size)
      vm.check(sig, sig_size)
      vm.checkPointer(digest, 32)
      const signature = readWithContext(SIGNATURE, vm.bytes(sig, sig_size), readSignature)
      const key = readWithContext(PUBLIC_KEY, vm.bytes(pub, pub_size), readPublicKey)
      const types = vm.ctx.num_supported_key_types
      check(
        signature[0]! < types,
        'unactivated_signature_type',
        'Unactivated signature type used during assert_recover_key',
      )
      check(
        key[0]! < types,
        'unactivated_key_type',
        'Unactivated key type used when creating assert_recover_key',
      )
      checkSignatureLength(vm, signature)
      const same = bytesEqual(recover(vm, signature, digest), key)
      check(same, 'crypto_api_exception', 'Error expected key different than recovered key')
    },
  ),

  recover_key: hostFunction(
    'iiiii>i',
    'any',
    (vm) => (digest: number, sig: number, sig_size: number, pub: number, pub_size: number) => {
      vm.check(pub, pub_size)
      vm.check(sig, sig_size)
      vm.checkPointer(digest, 32)
      const signature = readWithContext(SIGNATURE, vm.bytes(sig, sig_size), readSignature)
      check(
        signature[0]! < vm.ctx.num_supported_key_types,
        'unactivated_signature_type',
        'Unactivated signature type used during recover_key',
      )
      checkSignatureLength(vm, signature)
      const key = recover(vm, signature, digest)
      checkKeyBuffer(signature[0]!, pub_size >>> 0)
      vm.write(pub, pub_size, key)
      return key.length
    },
  ),
}

function recover(vm: WasmInstance, signature: Uint8Array, digest: number): Uint8Array {
  vm.spend(RECOVERY)
  return recoverKey(signature.slice(), vm.bytes(digest, 32).slice(), false)
}

function checkSignatureLength(vm: WasmInstance, signature: Uint8Array): void {
  if (!vm.ctx.speculative_block || signature[0] !== WA) return
  check(
    variableSize(signature) <= vm.ctx.subjective_signature_length_limit,
    'sig_variable_size_limit_exception',
    'signature variable length component size greater than subjective maximum',
  )
}

/** Bytes of a WebAuthn signature's authenticator and client data, without their lengths. */
function variableSize(signature: Uint8Array): number {
  const r = new Reader(signature, FIXED_SIGNATURE_SIZE)
  const auth_data = r.blob().length
  return auth_data + r.blob().length
}

/** Keys of the newer types may be truncated to the buffer, those of the first two types may not. */
function checkKeyBuffer(type: number, size: number): void {
  if (type >= WA) {
    check(
      size >= 33,
      'wasm_execution_error',
      'destination buffer must at least be able to hold an ECC public key',
    )
  } else if (size < KEY_SIZE) {
    const left = size === 0 ? 0 : size - 1
    refuseBeyondEnd(size === 0 ? 'put' : 'write', size, left)
  }
}
