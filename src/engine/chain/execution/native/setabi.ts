import { unpackSetAbi } from '../../base/native_action_data.ts'
import type { NativeContext } from './native_context.ts'
import { ensureNotReadOnly } from './read_only.ts'

/** Sets an account's ABI; its bytes are not looked into. */
export function setabi(ctx: NativeContext): void {
  ensureNotReadOnly(ctx, 'setabi')
  const { db } = ctx
  const { account, abi } = unpackSetAbi(ctx.act.data)
  ctx.requireAuth(account)
  const row = db.account.get('by_name', account)
  const delta = abi.length - row.abi.length
  db.account.modify(row, (r) => {
    r.abi = abi.slice()
  })
  db.account_metadata.modify(db.account_metadata.get('by_name', account), (r) => {
    r.abi_sequence += 1n
  })
  if (delta !== 0) ctx.addRamUsage(account, delta)
}
