/** What is checked before the keys of a submitted transaction are recovered. */
import { check } from '../../errors.ts'
import { WA } from '../../protocol/key.ts'
import { Reader } from '../../protocol/reader.ts'
import type { Transaction } from '../../protocol/transaction.ts'

/** Recovery byte, r and s. */
const CURVE_SIGNATURE_SIZE = 65

/** @param max_signature_length longest variable part of a WebAuthn signature; bytes
 *  @throws ChainError transaction_exception, sig_variable_size_limit_exception */
export function checkBeforeRecovery(
  trx: Transaction,
  signatures: readonly Uint8Array[],
  max_signature_length: number,
): void {
  checkNotDelayed(trx)
  for (const signature of signatures) checkSignatureLength(signature, max_signature_length)
}

/** @throws ChainError transaction_exception */
export function checkNotDelayed({ delay_sec }: Transaction): void {
  check(delay_sec === 0, 'transaction_exception', 'transaction cannot be delayed')
}

/** spring: transaction_metadata.hpp check_variable_sig_size */
function checkSignatureLength(signature: Uint8Array, limit: number): void {
  const size = variableSize(signature)
  check(
    size <= limit,
    'sig_variable_size_limit_exception',
    () =>
      `signature variable length component size (${size}) ` +
      `greater than subjective maximum (${limit})`,
  )
}

/** Bytes of the parts of a packed signature that have no fixed size: WebAuthn's two texts. */
function variableSize(signature: Uint8Array): number {
  const r = new Reader(signature)
  if (r.u8() !== WA) return 0
  r.bytes(CURVE_SIGNATURE_SIZE)
  return r.blob().length + r.blob().length
}
