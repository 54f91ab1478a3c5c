import { ensure } from '../../base/refuse.ts'
import type { NativeContext } from './native_context.ts'

/** Native actions change state, which a read-only transaction may not. */
export function ensureNotReadOnly(ctx: NativeContext, action: string): void {
  ensure(
    !ctx.read_only,
    'action_validate_exception',
    // The reference misspells this one.
    `${action} ${action === 'setabi' ? 'ot' : 'not'} allowed in read-only transaction`,
  )
}
