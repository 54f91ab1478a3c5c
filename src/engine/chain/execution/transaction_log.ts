import type { Action, Transaction } from '../../protocol/transaction.ts'
import type { LogValue } from '../base/refuse.ts'
import { toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import { timePointSecToString } from '../../protocol/time.ts'
import { levelLog } from '../rules/authorization.ts'

/** A transaction as the reference logs it with errors: bytes in hex. */
export function transactionLog(trx: Transaction): LogValue {
  return {
    expiration: timePointSecToString(trx.expiration),
    ref_block_num: trx.ref_block_num,
    ref_block_prefix: trx.ref_block_prefix,
    max_net_usage_words: trx.max_net_usage_words,
    max_cpu_usage_ms: trx.max_cpu_usage_ms,
    delay_sec: trx.delay_sec,
    context_free_actions: trx.context_free_actions.map(actionLog),
    actions: trx.actions.map(actionLog),
    transaction_extensions: trx.transaction_extensions.map(([id, data]) => [id, toHex(data)]),
  }
}

function actionLog(act: Action): LogValue {
  return {
    account: nameToString(act.account),
    name: nameToString(act.name),
    authorization: act.authorization.map(levelLog),
    data: toHex(act.data),
  }
}
