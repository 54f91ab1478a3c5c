import type { PermissionLevel } from '../../protocol/authority.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import type { BlockContext } from './block_context.ts'

/**
 * The declared permissions that anyone may use here, by the rule `any_account` of this node: in blocks that it
 * makes they count as satisfied. They must exist, and be the ones that the actions require, as for everybody.
 */
export function permissionsOfAnyAccount(
  block: Pick<BlockContext, 'speculative' | 'rules'>,
  { trx, of_any_account }: TransactionMetadata,
): PermissionLevel[] {
  const any_account = of_any_account ? 'all' : block.rules.any_account
  if (!block.speculative || (any_account !== 'all' && any_account.size === 0)) return []
  return trx.actions.flatMap(({ authorization }) =>
    any_account === 'all'
      ? authorization
      : authorization.filter(({ actor }) => any_account.has(actor)),
  )
}
