import type { Database } from '../../state/database.ts'
import type { Transaction } from '../../protocol/transaction.ts'
import type { BlockContext } from './block_context.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import { ChainError } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import { timePointSecToString, timePointToString } from '../../protocol/time.ts'
import { findPermission, levelLog } from '../rules/authorization/permissions.ts'
import { ensure, refuse, withContext } from '../base/refuse.ts'
import { checkActorList } from './subjective_lists.ts'
import { TRANSACTION_ID_NET_USAGE } from '../base/constants.ts'
import { transactionLog } from './transaction_log.ts'

/** NET bytes that an input transaction costs before it runs (spring: init_for_input_trx). */
export function inputNetUsage(db: Database, meta: TransactionMetadata): number {
  const config = db.global_property.single().configuration
  const num = config.context_free_discount_net_usage_num
  const den = config.context_free_discount_net_usage_den
  let prunable = meta.prunable_size
  if (den > 0 && num < den) prunable = ceilDiv(prunable * num, den)
  let usage = config.base_per_transaction_net_usage + meta.unprunable_size + prunable
  // A delayed transaction pays ahead for being retired, however that ends.
  if (meta.trx.delay_sec > 0)
    usage += config.base_per_transaction_net_usage + TRANSACTION_ID_NET_USAGE
  return usage
}

/** Rounds up; exact also where the product leaves the safe integers. */
function ceilDiv(product: number, den: number): number {
  if (Number.isSafeInteger(product + den)) return Math.floor((product + den - 1) / den)
  return Number((BigInt(product) + BigInt(den) - 1n) / BigInt(den))
}

/** Refuses expired transactions and those that expire too late to be remembered. */
export function validateExpiration(block: BlockContext, trx: Transaction): void {
  const lifetime = block.db.global_property.single().configuration.max_transaction_lifetime
  const expiration_us = trx.expiration * 1_000_000
  const now_us = block.block_time_us
  if (expiration_us >= now_us && expiration_us <= now_us + lifetime * 1_000_000) return
  withContext(
    () => ({ trx: transactionLog(trx) }),
    () => {
      ensure(
        expiration_us >= now_us,
        'expired_tx_exception',
        'transaction has expired, expiration is ${trx.expiration} and pending block time is ' +
          '${pending_block_time}',
        () => ({
          'trx.expiration': timePointSecToString(trx.expiration),
          pending_block_time: timePointToString(now_us),
        }),
      )
      ensure(
        expiration_us <= now_us + lifetime * 1_000_000,
        'tx_exp_too_far_exception',
        'Transaction expiration is too far in the future relative to the reference time of ' +
          '${reference_time}, expiration is ${trx.expiration} and the maximum transaction lifetime ' +
          'is ${max_til_exp} seconds',
        () => ({
          'trx.expiration': timePointSecToString(trx.expiration),
          reference_time: timePointToString(now_us),
          max_til_exp: lifetime,
        }),
      )
    },
  )
}

/** Refuses transactions that were made on another fork (TaPoS). */
export function validateTapos(block: BlockContext, trx: Transaction): void {
  const { block_id } = block.db.block_summary.getById(trx.ref_block_num)
  if (refersTo(trx, block_id)) return
  withContext(
    () => ({}),
    () =>
      ensure(
        false,
        'invalid_ref_block_exception',
        "Transaction's reference block ${rb} did not match ${bs}. Is this transaction from a " +
          'different fork?',
        () => ({ rb: trx.ref_block_num, bs: toHex(block_id) }),
      ),
  )
}

/** Like `refBlockOf`, without allocations, because every transaction needs it. */
function refersTo(trx: Transaction, id: Uint8Array): boolean {
  const prefix = trx.ref_block_prefix
  return (
    trx.ref_block_num === ((id[2]! << 8) | id[3]!) &&
    (prefix & 0xff) === id[8] &&
    ((prefix >>> 8) & 0xff) === id[9] &&
    ((prefix >>> 16) & 0xff) === id[10] &&
    prefix >>> 24 === id[11]
  )
}

/** Options for the check of the accounts that a transaction names. */
export interface ReferencedAccountsOptions {
  /** No action may have an authorization, and none needs one. */
  read_only: boolean
  /** Ask the node's white and black lists about the authorizing actors. */
  enforce_lists: boolean
}

/**
 * Refuses actions for or by accounts that do not exist (spring: validate_referenced_accounts).
 * @throws ChainError transaction_exception, tx_no_auths, or as {@link checkActorList}
 */
export function validateReferencedAccounts(
  block: BlockContext,
  trx: Transaction,
  options: ReferencedAccountsOptions,
): void {
  const { db } = block
  for (const act of trx.context_free_actions) {
    ensureCodeAccount(db, act.account)
    ensure(
      act.authorization.length === 0,
      'transaction_exception',
      'context-free actions cannot have authorizations',
    )
  }
  let authorized = false
  for (const act of trx.actions) {
    ensureCodeAccount(db, act.account)
    if (options.read_only)
      ensure(
        act.authorization.length === 0,
        'transaction_exception',
        "read-only action '${name}' cannot have authorizations",
        () => ({ name: nameToString(act.name) }),
      )
    for (const level of act.authorization) {
      authorized = true
      ensure(
        db.account.find('by_name', level.actor),
        'transaction_exception',
        "action's authorizing actor '${account}' does not exist",
        () => ({ account: nameToString(level.actor) }),
      )
      ensure(
        findPermission(db, level),
        'transaction_exception',
        "action's authorizations include a non-existent permission: ${permission}",
        () => ({ permission: levelLog(level) }),
      )
    }
  }
  ensure(
    authorized || options.read_only,
    'tx_no_auths',
    'transaction must have at least one authorization',
  )
  if (options.enforce_lists) checkActorList(block.rules, authorizingActors(trx))
}

function ensureCodeAccount(db: Database, account: bigint): void {
  ensure(
    db.account.find('by_name', account),
    'transaction_exception',
    "action's code account '${account}' does not exist",
    () => ({ account: nameToString(account) }),
  )
}

/** Everybody who authorizes an action of the transaction. */
export function authorizingActors(trx: Transaction): Set<bigint> {
  const actors = new Set<bigint>()
  for (const { authorization } of trx.actions)
    for (const { actor } of authorization) actors.add(actor)
  return actors
}

/**
 * Remembers a transaction until it expires.
 * @throws ChainError tx_duplicate
 */
export function recordTransaction(db: Database, trx_id: Uint8Array, expiration: number): void {
  try {
    db.transaction.add({ id: 0, expiration, trx_id })
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    refuse('tx_duplicate', 'duplicate transaction ${id}', { id: toHex(trx_id) })
  }
}
