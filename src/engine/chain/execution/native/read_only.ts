import { ensure } from '../../base/refuse.ts'
import type { NativeContext } from './native_context.ts'

/**
 * Refuses a native action in a read-only transaction, because it changes state.
 * @throws ChainError action_validate_exception
 */
export function ensureNotReadOnly(ctx: NativeContext, action: string): void {
  ensure(
    !ctx.read_only,
    'action_validate_exception',
    // The reference misspells this one.
    `${action} ${action === 'setabi' ? 'ot' : 'not'} allowed in read-only transaction`,
  )
}
