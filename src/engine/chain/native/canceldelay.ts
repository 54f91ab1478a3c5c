import { Reader } from '../../protocol/reader.ts'
import { unpackCancelDelay } from './action_data.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/** Cancels a delayed input transaction, by its id. */
export function canceldelay(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'canceldelay')
  const { canceling_auth, trx_id } = unpackCancelDelay(ctx.act.data)
  ctx.requireAuthorization(canceling_auth.actor)
  ctx.cancelDeferred(senderIdOf(trx_id), 0n)
}

/**
 * The sender id under which a delayed input transaction is kept: the last 16 bytes of its id, the
 * earlier 8 as the low half (spring: transaction_id_to_sender_id).
 */
export function senderIdOf(trx_id: Uint8Array): bigint {
  return new Reader(trx_id, 16).u128()
}
