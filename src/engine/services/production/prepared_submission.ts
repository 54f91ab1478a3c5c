/**
 * Submissions that another thread than the chain's has read and checked, and whose keys it has recovered, as bytes.
 * The chain's thread executes them as it executes its own.
 */
import { recoverKeys } from '../../crypto/recover_keys.ts'
import { signingDigest } from '../../crypto/digests.ts'
import { ContextFreeData } from '../../protocol/context_free_data.ts'
import { readPublicKey, writePublicKey } from '../../protocol/key.ts'
import {
  openPackedTransaction,
  packPackedTransaction,
  unpackPackedTransaction,
  unpackTrxBytes,
} from '../../protocol/packed_transaction.ts'
import type { UnpackedTransaction } from '../../protocol/packed_transaction.ts'
import { Reader } from '../../protocol/reader.ts'
import { Writer } from '../../protocol/writer.ts'
import { checkBeforeRecovery } from './signature_checks.ts'
import { SUBMISSIONS } from './submission_requests.ts'
import type { Submission } from './submission_requests.ts'

/** What the recovery of keys on another thread needs; see `SubmissionDependencies`. */
export interface RecoveryRules {
  chain_id: Uint8Array
  max_signature_length: number
  /** Microseconds. */
  time_limit_us: number
}

/**
 * Adds the keys, where nothing else has to be checked before: dry runs and read-only transactions have limits of
 * their own, and a retry is refused by the time of the chain.
 * @throws ChainError the errors of signatures
 */
export function withKeys(submission: Submission, rules: RecoveryRules): Submission {
  const { operation, packed, opened, retry } = submission
  if (retry || operation === 'compute_transaction' || operation === 'send_read_only_transaction') {
    return submission
  }
  const { signatures } = packed
  checkBeforeRecovery(opened.trx, signatures, rules.max_signature_length)
  const { trx_bytes, context_free_data } = opened
  const digest = signingDigest(rules.chain_id, trx_bytes, context_free_data)
  return { ...submission, recovered: recoverKeys(digest, signatures, rules.time_limit_us) }
}

const RETURNS_FAILURE = 1
const IS_RETRIED = 2
const HAS_NUM_BLOCKS = 4
const HAS_KEYS = 8
/** The bytes inside the packed transaction are not those that are signed: they follow. */
const IS_OPENED = 16

/** Packs a submission. */
export function packSubmission(submission: Submission): Uint8Array {
  const { operation, packed, opened, return_failure_trace, retry, recovered } = submission
  const num_blocks = retry?.num_blocks
  const is_opened = packed.packed_trx !== opened.trx_bytes
  const w = new Writer(packed.packed_trx.length + 192)
  w.u8(SUBMISSIONS.indexOf(operation))
  w.u8(
    (return_failure_trace ? RETURNS_FAILURE : 0) |
      (retry ? IS_RETRIED : 0) |
      (num_blocks === undefined ? 0 : HAS_NUM_BLOCKS) |
      (recovered ? HAS_KEYS : 0) |
      (is_opened ? IS_OPENED : 0),
  )
  if (num_blocks !== undefined) w.u16(num_blocks)
  packPackedTransaction(w, packed)
  if (is_opened) {
    w.blob(opened.trx_bytes)
    w.blob(opened.context_free_data.packed)
  }
  if (recovered) {
    w.array(recovered.keys, writePublicKey)
    w.u32(recovered.cpu_usage_us)
  }
  return w.bytes()
}

/**
 * Reads what {@link packSubmission} made.
 * @throws ChainError out_of_range_exception if bytes are missing, or the error of a transaction
 *   that cannot be read
 */
export function unpackSubmission(bytes: Uint8Array): Submission {
  const r = new Reader(bytes)
  const operation = SUBMISSIONS[r.u8()]!
  const flags = r.u8()
  const num_blocks = flags & HAS_NUM_BLOCKS ? r.u16() : undefined
  const packed = unpackPackedTransaction(r)
  return {
    operation,
    return_failure_trace: (flags & RETURNS_FAILURE) !== 0,
    ...(flags & IS_RETRIED ? { retry: { num_blocks } } : {}),
    packed,
    opened: flags & IS_OPENED ? readOpened(r) : openPackedTransaction(packed),
    ...(flags & HAS_KEYS
      ? { recovered: { keys: r.array(readPublicKey), cpu_usage_us: r.u32() } }
      : {}),
  }
}

function readOpened(r: Reader): UnpackedTransaction {
  const { trx, trx_bytes } = unpackTrxBytes(r.blob())
  return { trx, trx_bytes, context_free_data: ContextFreeData.unpack(r.blob()) }
}
