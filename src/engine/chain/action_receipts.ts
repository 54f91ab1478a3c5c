import type { AccountMetadata, DynamicGlobalProperty } from '../state/rows.ts'
import type { Row } from '../state/object_table.ts'
import type { ActionReceipt } from '../protocol/action_receipt.ts'
import type { Action } from '../protocol/transaction.ts'
import type { TransactionContext } from './transaction_context.ts'
import { actionDigest, actionReceiptDigest } from '../crypto/digests.ts'
import { sha256 } from '../crypto/hash.ts'
import { Writer } from '../protocol/writer.ts'

/** What a receipt is made for. */
export interface ExecutedAction {
  act: Action
  receiver: bigint
  account: Row<AccountMetadata>
  return_value: Uint8Array
}

const writer = new Writer(1024)

/**
 * Takes the action's sequence numbers, and makes its receipt and the receipt's digests
 * (spring: apply_context::exec_one, trace.hpp).
 */
export function makeReceipt(tx: TransactionContext, executed: ExecutedAction): ActionReceipt {
  const { act, receiver, account } = executed
  const act_digest = cachedActionDigest(tx, act, executed.return_value)
  const global_sequence = nextGlobalSequence(tx)
  const recv_sequence = nextRecvSequence(tx, account)
  const first =
    act.account === receiver ? account : tx.db.account_metadata.get('by_name', act.account)
  // Read before the authorizations count: those change the same row, but not these fields.
  const { code_sequence, abi_sequence } = first
  const receipt: ActionReceipt = {
    receiver,
    act_digest,
    global_sequence,
    recv_sequence,
    auth_sequence: nextAuthSequences(tx, act),
    code_sequence: Number(code_sequence & 0xffffffffn),
    abi_sequence: Number(abi_sequence & 0xffffffffn),
  }
  const { legacy, savanna } = tx.block.action_digests
  if (legacy) tx.digests_legacy.push(actionReceiptDigest(receipt))
  if (savanna) tx.digests_savanna.push(savannaDigest(receipt, act))
  return receipt
}

/** Notified receivers that return nothing share the digest of the action. */
function cachedActionDigest(
  tx: TransactionContext,
  act: Action,
  return_value: Uint8Array,
): Uint8Array {
  const empty = return_value.length === 0
  if (empty && tx.last_digest_act === act) return tx.last_digest
  const with_return_value = tx.block.isActivated('ACTION_RETURN_VALUE')
  const digest = actionDigest(act, with_return_value ? return_value : undefined)
  if (empty) {
    tx.last_digest_act = act
    tx.last_digest = digest
  }
  return digest
}

/** Leaf of the Savanna action root; what proofs rarely need is hashed apart, as a witness. */
export function savannaDigest(receipt: ActionReceipt, act: Action): Uint8Array {
  writer.reset()
  writer.u64(receipt.global_sequence)
  packAuthSequence(receipt)
  writer.varuint32(receipt.code_sequence)
  writer.varuint32(receipt.abi_sequence)
  const witness = sha256(writer.view())
  writer.reset()
  writer.u64(receipt.receiver)
  writer.u64(receipt.recv_sequence)
  writer.u64(act.account)
  writer.u64(act.name)
  writer.raw(receipt.act_digest)
  writer.raw(witness)
  return sha256(writer.view())
}

function packAuthSequence({ auth_sequence }: ActionReceipt): void {
  writer.varuint32(auth_sequence.length)
  for (const [actor, sequence] of auth_sequence) {
    writer.u64(actor)
    writer.u64(sequence)
  }
}

function nextGlobalSequence(tx: TransactionContext): bigint {
  if (tx.is_read_only) return 0n
  const { dynamic_global_property } = tx.db
  const row = dynamic_global_property.single()
  dynamic_global_property.modify(row, countGlobalAction)
  return row.global_action_sequence
}

function nextRecvSequence(tx: TransactionContext, account: Row<AccountMetadata>): bigint {
  if (tx.is_read_only) return 0n
  tx.db.account_metadata.modify(account, countReceived)
  return account.recv_sequence
}

/** One number per authorization; of an actor's the last one stays. Sorted by actor. */
function nextAuthSequences(tx: TransactionContext, act: Action): [bigint, bigint][] {
  const { account_metadata } = tx.db
  const sequences: [bigint, bigint][] = []
  for (const { actor } of act.authorization) {
    const row = account_metadata.get('by_name', actor)
    account_metadata.modify(row, countAuthorized)
    let at = 0
    while (at < sequences.length && sequences[at]![0] < actor) at++
    const same = sequences[at]
    if (same && same[0] === actor) same[1] = row.auth_sequence
    else sequences.splice(at, 0, [actor, row.auth_sequence])
  }
  return sequences
}

// One function each instead of a closure per call.
function countGlobalAction(row: DynamicGlobalProperty): void {
  row.global_action_sequence++
}

function countReceived(row: AccountMetadata): void {
  row.recv_sequence++
}

function countAuthorized(row: AccountMetadata): void {
  row.auth_sequence++
}
