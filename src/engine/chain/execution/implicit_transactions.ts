import type { Action, Transaction } from '../../protocol/transaction.ts'
import type { BlockContext } from './block_context.ts'
import { ACTIVE_PERMISSION, SYSTEM_ACCOUNT } from '../../protocol/constants.ts'
import { N } from '../../protocol/name.ts'
import { refBlockOf } from '../../protocol/transaction.ts'
import { Writer } from '../../protocol/writer.ts'

/** Unsigned transactions that are in no block: notifications of contracts by the chain. */

const NO_BLOCK = { ref_block_num: 0, ref_block_prefix: 0 }

/** Notifies the system contract of the head block, at the start of the next one. */
export function onblockTransaction(block: BlockContext): Transaction {
  return implicitTransaction(block, {
    account: SYSTEM_ACCOUNT,
    name: N('onblock'),
    authorization: [{ actor: SYSTEM_ACCOUNT, permission: ACTIVE_PERMISSION }],
    data: block.head_header,
  })
}

/** Notifies a contract that a transaction which it deferred has failed. */
export function onerrorTransaction(
  block: BlockContext,
  failed: { sender: bigint; sender_id: bigint; packed_trx: Uint8Array },
): Transaction {
  const w = new Writer(failed.packed_trx.length + 24)
  w.u128(failed.sender_id)
  w.blob(failed.packed_trx)
  return implicitTransaction(block, {
    account: SYSTEM_ACCOUNT,
    name: N('onerror'),
    authorization: [{ actor: failed.sender, permission: ACTIVE_PERMISSION }],
    data: w.bytes(),
  })
}

/** Since NO_DUPLICATE_DEFERRED_ID such transactions never look like pushed ones (spring: set_trx_expiration). */
function implicitTransaction(block: BlockContext, action: Action): Transaction {
  const unlike_input = block.isActivated('NO_DUPLICATE_DEFERRED_ID')
  const { ref_block_num, ref_block_prefix } = unlike_input ? NO_BLOCK : refBlockOf(block.head_id)
  return {
    // Rounded up to the next second, so that it does not look expired.
    expiration: unlike_input ? 0 : Math.floor((block.block_time_us + 999_999) / 1_000_000),
    ref_block_num,
    ref_block_prefix,
    max_net_usage_words: 0,
    max_cpu_usage_ms: 0,
    delay_sec: 0,
    context_free_actions: [],
    actions: [action],
    transaction_extensions: [],
  }
}
