import type { AccountMetadata } from '../../state/rows.ts'
import type { Row } from '../../state/object_table.ts'
import type { ActionReceipt } from '../../protocol/action_receipt.ts'
import { packActionReceipt } from '../../protocol/action_receipt.ts'
import type { Action } from '../../protocol/transaction.ts'
import type { ActionTrace } from '../base/trace.ts'
import type { RunningTransaction } from './running_transaction.ts'
import { actionDigest } from '../../crypto/digests.ts'
import { sha256 } from '../../crypto/hash.ts'
import { Writer } from '../../protocol/writer.ts'

const writer = new Writer(1024)
const NO_SEQUENCES: ActionReceipt['auth_sequence'] = []

/**
 * Assigns the action's sequence numbers, adds a receipt to its trace, and adds the receipt's
 * digests to the block (spring: apply_context::exec_one, trace.hpp). `account` is the receiver's.
 * In a read-only transaction nothing may be authorized, so the receipt has no last numbers there.
 */
export function makeReceipt(
  tx: RunningTransaction,
  trace: ActionTrace,
  account: Row<AccountMetadata>,
): void {
  const { act, return_value } = trace
  const receiver = account.name
  const act_digest = cachedActionDigest(tx, act, return_value)
  const global_sequence = tx.sequences.nextGlobal()
  const recv_sequence = tx.sequences.nextRecv(account)
  const first =
    act.account === receiver ? account : tx.db.account_metadata.get('by_name', act.account)
  const { code_sequence, abi_sequence } = first
  const receipt: ActionReceipt = {
    receiver,
    act_digest,
    global_sequence,
    recv_sequence,
    auth_sequence: NO_SEQUENCES,
    code_sequence: Number(BigInt.asUintN(32, code_sequence)),
    abi_sequence: Number(BigInt.asUintN(32, abi_sequence)),
  }
  trace.receipt = receipt
  receipt.auth_sequence = nextAuthSequences(tx, act)
  const { legacy, savanna } = tx.block.action_digests
  if (legacy) {
    writer.reset()
    packActionReceipt(writer, receipt)
    legacy.pushHashOf(writer.view())
  }
  if (savanna) savanna.pushHashOf(savannaLeaf(receipt, act))
}

/** Notified receivers that return nothing share the digest of the action. */
function cachedActionDigest(
  tx: RunningTransaction,
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

// The second half of the Savanna leaf has one size: four numbers and two digests.
const leaf = new Uint8Array(96)
const leaf_words = new BigUint64Array(leaf.buffer, 0, 4)

/**
 * The bytes whose digest is a leaf of the Savanna action root; what proofs rarely need is hashed apart, as a witness.
 * Shared: valid until the next call.
 */
function savannaLeaf(receipt: ActionReceipt, act: Action): Uint8Array {
  writer.reset()
  writer.u64(receipt.global_sequence)
  packAuthSequence(receipt)
  writer.varuint32(receipt.code_sequence)
  writer.varuint32(receipt.abi_sequence)
  const witness = sha256(writer.view())
  leaf_words[0] = receipt.receiver
  leaf_words[1] = receipt.recv_sequence
  leaf_words[2] = act.account
  leaf_words[3] = act.name
  leaf.set(receipt.act_digest, 32)
  leaf.set(witness, 64)
  return leaf
}

function packAuthSequence({ auth_sequence }: ActionReceipt): void {
  writer.varuint32(auth_sequence.length)
  for (const [actor, sequence] of auth_sequence) {
    writer.u64(actor)
    writer.u64(sequence)
  }
}

/** One number for each authorization; for an actor, the last one is kept. Sorted by actor. */
function nextAuthSequences(tx: RunningTransaction, act: Action): [bigint, bigint][] {
  const sequences: [bigint, bigint][] = []
  for (const { actor } of act.authorization) {
    const sequence = tx.sequences.nextAuth(actor)
    let at = 0
    while (at < sequences.length && sequences[at]![0] < actor) at++
    const same = sequences[at]
    if (same === undefined) sequences.push([actor, sequence])
    else if (same[0] === actor) same[1] = sequence
    else sequences.splice(at, 0, [actor, sequence])
  }
  return sequences
}
