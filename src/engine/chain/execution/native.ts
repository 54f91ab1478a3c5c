import { N } from '../../protocol/name.ts'
import { canceldelay } from './native/canceldelay.ts'
import { deleteauth } from './native/deleteauth.ts'
import { linkauth } from './native/linkauth.ts'
import type { NativeContext } from './native/native_context.ts'
import { newaccount } from './native/newaccount.ts'
import { setabi } from './native/setabi.ts'
import { setcode } from './native/setcode.ts'
import { unlinkauth } from './native/unlinkauth.ts'
import { updateauth } from './native/updateauth.ts'

/**
 * Actions of `eosio` on itself that the chain executes before the contract on that account (spring:
 * SET_APP_HANDLER in controller.cpp). `onerror` is not among them: it is only sent.
 */
export const nativeActions: ReadonlyMap<bigint, (ctx: NativeContext) => void> = new Map([
  [N('newaccount'), newaccount],
  [N('setcode'), setcode],
  [N('setabi'), setabi],
  [N('updateauth'), updateauth],
  [N('deleteauth'), deleteauth],
  [N('linkauth'), linkauth],
  [N('unlinkauth'), unlinkauth],
  [N('canceldelay'), canceldelay],
])
