/** Proposals of finalizers by privileged contracts (spring: webassembly/privileged.cpp). */
import { UINT64_MAX } from '../../protocol/integer.ts'
import { MAX_FINALIZERS } from '../../protocol/constants.ts'
import { isBlsPublicKey } from '../../crypto/bls.ts'
import { blsPublicKeyToString } from '../../protocol/bls_text.ts'
import { BLS_PUBLIC_KEY_SIZE } from '../../protocol/finality.ts'
import type { FinalizerAuthority } from '../../protocol/finality.ts'
import { toHex } from '../../protocol/hex.ts'
import type { Reader } from '../../protocol/reader.ts'
import { FINALIZER_POLICY, readWithContext } from '../../protocol/error_context.ts'
import type { ScheduleContext } from './propose_producers.ts'
import { ensure } from '../base/refuse.ts'
import { isFork } from '../rules/fork.ts'

/** spring: config::max_finalizer_description_size */
const MAX_DESCRIPTION_BYTES = 256

/**
 * Proposes a finalizer policy; the first one starts the transition to Savanna. On a fork, a valid
 * proposal has no effect.
 *
 * @param packed threshold, then a vector of {description, weight, public key}; parts of it are kept
 * @throws ChainError wasm_execution_error, or assert_exception for a key that is not a point
 */
export function setFinalizers(ctx: ScheduleContext, format: bigint, packed: Uint8Array): void {
  ensure(format === 0n, 'wasm_execution_error', 'Finalizer policy is in an unknown format!')
  const { threshold, finalizers } = readWithContext(
    FINALIZER_POLICY,
    packed,
    (r) => ({ threshold: r.u64(), finalizers: r.array(unpackFinalizer) }),
    () => ctx.checktime(),
  )
  ensure(
    finalizers.length <= MAX_FINALIZERS,
    'wasm_execution_error',
    'Finalizer policy exceeds the maximum finalizer count for this chain',
  )
  ensure(finalizers.length > 0, 'wasm_execution_error', 'Finalizers cannot be empty')
  const weights = checkFinalizers(ctx, finalizers)
  ensure(
    weights >= threshold && threshold > weights / 2n,
    'wasm_execution_error',
    'Finalizer policy threshold (${t}) must be greater than half of the sum of the weights (${w}), ' +
      'and less than or equal to the sum of the weights',
    () => ({ t: threshold, w: weights }),
  )
  if (isFork(ctx.db)) return
  const policy = { generation: 0, threshold, finalizers }
  ctx.proposals.proposed_finalizer_policy = { block_num: ctx.block_num, policy }
}

function unpackFinalizer(r: Reader): FinalizerAuthority {
  return { description: r.byteString(), weight: r.u64(), public_key: r.byteList() }
}

/** Returns the sum of their weights. */
function checkFinalizers(ctx: ScheduleContext, finalizers: readonly FinalizerAuthority[]): bigint {
  const keys = new Set<string>()
  let sum = 0n
  for (const { description, weight, public_key } of finalizers) {
    // To check a key takes up to a millisecond.
    ctx.checktime()
    ensure(
      description.length <= MAX_DESCRIPTION_BYTES,
      'wasm_execution_error',
      'Finalizer description greater than ${s}',
      () => ({ s: MAX_DESCRIPTION_BYTES }),
    )
    ensure(
      sum + weight <= UINT64_MAX,
      'wasm_execution_error',
      'sum of weights causes uint64_t overflow',
    )
    sum += weight
    ensure(
      public_key.length === BLS_PUBLIC_KEY_SIZE,
      'wasm_execution_error',
      'Invalid bls public key length',
    )
    ensure(isBlsPublicKey(public_key), 'assert_exception', 'g1: ')
    const hex = toHex(public_key)
    ensure(!keys.has(hex), 'wasm_execution_error', 'Duplicate public key: ${pk}', () => ({
      pk: blsPublicKeyToString(public_key),
    }))
    keys.add(hex)
  }
  return sum
}
