import type { RunningAction } from './running_action.ts'
import type { AccountDelta } from '../base/trace.ts'
import { nameToString } from '../../protocol/name.ts'
import { ramBillingInNotifyAllowed } from './deferred.ts'
import { ensure } from '../base/refuse.ts'

/**
 * Since RAM_RESTRICTIONS: refuses when an action without privilege made accounts hold more RAM that
 * did not agree to it, which they cannot do while they are only notified.
 * @throws ChainError unauthorized_ram_usage_increase
 */
export function checkRamPayers(ctx: RunningAction, deltas: readonly AccountDelta[]): void {
  for (const { account, delta } of deltas) {
    if (delta <= 0 || account === ctx.receiver) continue
    ensure(
      ctx.receiver === ctx.act.account,
      'unauthorized_ram_usage_increase',
      'unprivileged contract cannot increase RAM usage of another account within a notify ' +
        'context: ${account}',
      () => ({ account: nameToString(account) }),
    )
    ensure(
      ctx.hasAuth(account),
      'unauthorized_ram_usage_increase',
      'unprivileged contract cannot increase RAM usage of another account that has not ' +
        'authorized the action: ${account}',
      () => ({ account: nameToString(account) }),
    )
  }
}

/**
 * Before RAM_RESTRICTIONS: the same check at every write, with fewer restrictions on notified code.
 * @throws ChainError subjective_block_production_exception, unauthorized_ram_usage_increase
 */
export function checkDbPayer(ctx: RunningAction, payer: bigint): void {
  const { block } = ctx
  if (block.isActivated('RAM_RESTRICTIONS')) return
  ensure(
    ramBillingInNotifyAllowed(block) || ctx.receiver === ctx.act.account,
    'subjective_block_production_exception',
    'Cannot charge RAM to other accounts during notify.',
  )
  ctx.requireAuth(payer)
}
