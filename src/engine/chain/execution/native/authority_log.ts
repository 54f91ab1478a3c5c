import type { Authority } from '../../../protocol/authority.ts'
import { publicKeyToString } from '../../../protocol/key.ts'
import { levelLog } from '../../rules/authorization.ts'
import type { LogValue } from '../../base/refuse.ts'

/** An authority as messages show it. */
export function authorityLog(auth: Authority): LogValue {
  return {
    threshold: auth.threshold,
    keys: auth.keys.map(({ key, weight }) => ({ key: publicKeyToString(key), weight })),
    accounts: auth.accounts.map(({ permission, weight }) => ({
      permission: levelLog(permission),
      weight,
    })),
    waits: auth.waits.map(({ wait_sec, weight }) => ({ wait_sec, weight })),
  }
}
