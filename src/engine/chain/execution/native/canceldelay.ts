import { senderIdOfTransaction } from '../deferred.ts'
import { unpackCancelDelay } from '../../base/native_action_data.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/** Cancels a delayed input transaction, by its id. */
export function canceldelay(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'canceldelay')
  const { canceling_auth, trx_id } = unpackCancelDelay(ctx.act.data)
  ctx.requireAuth(canceling_auth.actor)
  ctx.cancelDelayed(senderIdOfTransaction(trx_id))
}
