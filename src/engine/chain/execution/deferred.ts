import type { Database } from '../../state/database.ts'
import type { Row } from '../../state/object_table.ts'
import type { GeneratedTransaction } from '../../state/rows.ts'
import type {
  DeferredTransactionGenerationContext,
  Transaction,
} from '../../protocol/transaction.ts'
import type { RunningAction } from './running_action.ts'
import type { BlockContext } from './block_context.ts'
import type { RunningTransaction } from './running_transaction.ts'
import { transactionId } from '../../crypto/digests.ts'
import { CODE_PERMISSION } from '../../protocol/constants.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import { nameToString } from '../../protocol/name.ts'
import { Reader } from '../../protocol/reader.ts'
import {
  DEFERRED_GENERATION_CONTEXT_ID,
  extractTransactionExtensions,
  firstAuthorizer,
  packDeferredGenerationContext,
  packTransaction,
  refBlockOf,
  unpackTransaction,
} from '../../protocol/transaction.ts'
import { TRANSACTION, readWithContext } from '../../protocol/error_context.ts'
import { packOne } from '../../protocol/writer.ts'
import { checkAuthorization } from '../rules/authorization.ts'
import { skipChecks } from './block_context.ts'
import { BILLABLE_GENERATED_TRANSACTION } from '../base/constants.ts'
import { forgiveSelf } from './inline_actions.ts'
import { ensure } from '../base/refuse.ts'
import { addPendingRamUsage } from '../rules/resource_limits.ts'
import { validateReferencedAccounts } from './transaction_checks.ts'

/** A request of a contract for a deferred transaction. */
export interface DeferredRequest {
  sender_id: bigint
  payer: bigint
  packed_trx: Uint8Array
  replace_existing: boolean
}

/** RAM that a deferred transaction is billed. */
export function billableDeferredSize(packed_trx: Uint8Array): number {
  return BILLABLE_GENERATED_TRANSACTION + packed_trx.length
}

/**
 * Schedules what a contract sends (spring: schedule_deferred_transaction).
 * @throws ChainError the reason to refuse the transaction
 */
export function scheduleDeferred(ctx: RunningAction, request: DeferredRequest): void {
  const { block, tx } = ctx
  const trx = readWithContext(TRANSACTION, request.packed_trx, unpackTransaction, () =>
    tx.cpu.checktime(),
  )
  if (block.isActivated('DISABLE_DEFERRED_TRXS_STAGE_1')) return
  ensure(
    !tx.is_read_only,
    'transaction_exception',
    'cannot schedule a deferred transaction from within a readonly transaction',
  )
  ensure(
    trx.context_free_actions.length === 0,
    'cfa_inside_generated_tx',
    'context free actions are not currently allowed in generated transactions',
  )
  validateReferencedAccounts(block, trx, {
    read_only: tx.is_read_only,
    enforce_lists:
      tx.enforce_whiteblacklist &&
      block.speculative &&
      !block.rules.sender_bypass_whiteblacklist.has(ctx.receiver),
  })
  stampDeferred(ctx, trx, request.sender_id)
  tx.addRetirementNetUsage()
  if (!skipChecks(block) && !ctx.privileged) authorizeDeferred(ctx, trx, request.payer)
  storeDeferred(ctx, trx, request)
}

/** Makes the transaction unique: by an extension, or before that by the block of its creation. */
function stampDeferred(ctx: RunningAction, trx: Transaction, sender_id: bigint): void {
  const { block } = ctx
  if (!block.isActivated('NO_DUPLICATE_DEFERRED_ID')) {
    trx.expiration = Math.floor((block.block_time_us + 999_999) / 1_000_000)
    Object.assign(trx, refBlockOf(block.head_id))
    return
  }
  const generation = extractTransactionExtensions(trx).deferred_generation_context
  if (generation) checkGeneration(ctx, generation, sender_id)
  else {
    const context = { sender_trx_id: ctx.tx.meta.id, sender_id, sender: ctx.receiver }
    const packed = packOne(packDeferredGenerationContext, context)
    trx.transaction_extensions.push([DEFERRED_GENERATION_CONTEXT_ID, packed])
  }
  trx.expiration = 0
  trx.ref_block_num = 0
  trx.ref_block_prefix = 0
}

function checkGeneration(
  ctx: RunningAction,
  generation: DeferredTransactionGenerationContext,
  sender_id: bigint,
): void {
  const wrong = 'ill_formed_deferred_transaction_generation_context'
  const text = 'deferred transaction generaction context contains mismatching '
  const { id } = ctx.tx.meta
  ensure(generation.sender === ctx.receiver, wrong, `${text}sender`, () => ({
    expected: nameToString(ctx.receiver),
    actual: nameToString(generation.sender),
  }))
  ensure(generation.sender_id === sender_id, wrong, `${text}sender_id`, () => ({
    expected: sender_id.toString(),
    actual: generation.sender_id.toString(),
  }))
  ensure(bytesEqual(generation.sender_trx_id, id), wrong, `${text}sender_trx_id`, () => ({
    expected: toHex(id),
    actual: toHex(generation.sender_trx_id),
  }))
}

/** The payer must agree, and the receiver must be able to authorize the actions. */
function authorizeDeferred(ctx: RunningAction, trx: Transaction, payer: bigint): void {
  const { block, tx, receiver } = ctx
  if (payer !== receiver) {
    if (block.isActivated('RAM_RESTRICTIONS')) {
      ensure(
        receiver === ctx.act.account,
        'action_validate_exception',
        'cannot bill RAM usage of deferred transactions to another account within notify context',
      )
      ensure(
        ctx.hasAuth(payer),
        'action_validate_exception',
        'cannot bill RAM usage of deferred transaction to another account that has not ' +
          'authorized the action: ${payer}',
        () => ({ payer: nameToString(payer) }),
      )
    } else ctx.requireAuth(payer)
  }
  try {
    checkAuthorization(block, {
      actions: trx.actions,
      provided_keys: [],
      provided_permissions: [{ actor: receiver, permission: CODE_PERMISSION }],
      provided_delay_us: trx.delay_sec * 1_000_000,
      checktime: () => tx.cpu.checktime(),
    })
  } catch (error) {
    const strict =
      block.isActivated('RESTRICT_ACTION_TO_SELF') ||
      trx.actions.some((action) => action.account !== receiver)
    const message =
      'Authorization failure with sent deferred transaction consisting only of actions to self'
    forgiveSelf(ctx, error, strict, message)
  }
}

function storeDeferred(ctx: RunningAction, trx: Transaction, request: DeferredRequest): void {
  const { block, db, receiver } = ctx
  const { sender_id, payer } = request
  const packed_trx = packOne(packTransaction, trx)
  let trx_id = transactionId(packed_trx)
  const existing = db.generated_transaction.find('by_sender_id', receiver, sender_id)
  if (existing) {
    ensure(
      request.replace_existing,
      'deferred_tx_duplicate',
      'deferred transaction with the same sender_id and payer already exists',
    )
    const replaces = block.isActivated('REPLACE_DEFERRED')
    ensure(
      replaces || !block.speculative || block.rules.disable_all_subjective_mitigations,
      'subjective_block_production_exception',
      'Replacing a deferred transaction is temporarily disabled.',
    )
    const freed = billableDeferredSize(existing.packed_trx)
    // Until REPLACE_DEFERRED the old RAM stayed billed and the old id stayed in use.
    if (replaces) ctx.addRamUsage(existing.payer, -freed)
    else {
      addRamCorrection(db, existing.payer, freed)
      trx_id = existing.trx_id
    }
    db.generated_transaction.remove(existing)
  }
  const published = block.block_time_us
  const delay_until = published + trx.delay_sec * 1_000_000
  db.generated_transaction.create({
    trx_id,
    sender: receiver,
    sender_id,
    payer,
    delay_until,
    expiration: delay_until + expirationWindowUs(db),
    published,
    packed_trx,
  })
  ensure(
    block.isActivated('RAM_RESTRICTIONS') ||
      ramBillingInNotifyAllowed(block) ||
      receiver === ctx.act.account ||
      receiver === payer ||
      ctx.privileged,
    'subjective_block_production_exception',
    'Cannot charge RAM to other accounts during notify.',
  )
  ctx.addRamUsage(payer, billableDeferredSize(packed_trx))
}

/** This node lets contracts charge others while they are notified (before RAM_RESTRICTIONS). */
export function ramBillingInNotifyAllowed({ rules, speculative }: BlockContext): boolean {
  return (
    !speculative || rules.disable_all_subjective_mitigations || rules.allow_ram_billing_in_notify
  )
}

function addRamCorrection(db: Database, account: bigint, ram_bytes: number): void {
  const { account_ram_correction } = db
  const row = account_ram_correction.find('by_name', account)
  if (row)
    account_ram_correction.modify(row, (r) => {
      r.ram_correction += BigInt(ram_bytes)
    })
  else account_ram_correction.create({ name: account, ram_correction: BigInt(ram_bytes) })
}

function expirationWindowUs(db: Database): number {
  return db.global_property.single().configuration.deferred_trx_expiration_window * 1_000_000
}

/**
 * Cancels a deferred transaction. Returns whether it existed.
 * @throws ChainError transaction_exception in a read-only transaction
 */
export function cancelDeferred(ctx: RunningAction, sender_id: bigint, sender: bigint): boolean {
  if (ctx.block.isActivated('DISABLE_DEFERRED_TRXS_STAGE_1')) return false
  ensure(
    !ctx.tx.is_read_only,
    'transaction_exception',
    'cannot cancel a deferred transaction from within a readonly transaction',
  )
  const { generated_transaction } = ctx.db
  const row = generated_transaction.find('by_sender_id', sender, sender_id)
  if (!row) return false
  ctx.addRamUsage(row.payer, -billableDeferredSize(row.packed_trx))
  generated_transaction.remove(row)
  return true
}

/** Stores a pushed transaction with a delay instead of running it (spring: schedule_transaction). */
export function createDelayedTransaction(tx: RunningTransaction): void {
  const { trx, db, block, meta } = tx
  // A transaction with delay_sec has already paid for its removal.
  if (trx.delay_sec === 0) tx.addRetirementNetUsage()
  const payer = firstAuthorizer(trx)
  const packed_trx = packOne(packTransaction, trx)
  const published = block.block_time_us
  const delay_until = published + tx.delay_us
  db.generated_transaction.create({
    trx_id: meta.id,
    sender: 0n,
    sender_id: senderIdOfTransaction(meta.id),
    payer,
    delay_until,
    expiration: delay_until + expirationWindowUs(db),
    published,
    packed_trx,
  })
  const delta = billableDeferredSize(packed_trx)
  tx.addRamUsage(payer, delta)
  tx.trace.account_ram_delta = { account: payer, delta }
}

/** The sender id of a delayed transaction: the second half of its id. */
export function senderIdOfTransaction(trx_id: Uint8Array): bigint {
  return new Reader(trx_id, 16).u128()
}

/** Removes a deferred transaction and refunds its RAM. Returns the (negative) RAM delta. */
export function removeScheduled(db: Database, row: Row<GeneratedTransaction>): number {
  const delta = -billableDeferredSize(row.packed_trx)
  addPendingRamUsage(db, row.payer, delta)
  db.generated_transaction.remove(row)
  return delta
}
