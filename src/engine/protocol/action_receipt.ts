/** Action receipts: what action Merkle roots are made of. spring: include/eosio/chain/action_receipt.hpp */
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/**
 * The receipt of an action on one receiver. spring:
 * libraries/chain/include/eosio/chain/action_receipt.hpp
 */
export interface ActionReceipt {
  receiver: bigint
  act_digest: Uint8Array
  /** Actions since genesis. */
  global_sequence: bigint
  /** Actions at this receiver since genesis. */
  recv_sequence: bigint
  /** Per authorizer, its actions since genesis; sorted by account. */
  auth_sequence: [bigint, bigint][]
  code_sequence: number
  abi_sequence: number
}

/**
 * Writes an action receipt in the wire format. spring:
 * libraries/chain/include/eosio/chain/action_receipt.hpp
 */
export function packActionReceipt(w: Writer, receipt: ActionReceipt): void {
  w.u64(receipt.receiver)
  w.raw(receipt.act_digest)
  w.u64(receipt.global_sequence)
  w.u64(receipt.recv_sequence)
  w.varuint32(receipt.auth_sequence.length)
  for (const [account, sequence] of receipt.auth_sequence) {
    w.u64(account)
    w.u64(sequence)
  }
  w.varuint32(receipt.code_sequence)
  w.varuint32(receipt.abi_sequence)
}

/** Reads an action receipt in the wire format. */
export function unpackActionReceipt(r: Reader): ActionReceipt {
  return {
    receiver: r.u64(),
    act_digest: r.checksum256(),
    global_sequence: r.u64(),
    recv_sequence: r.u64(),
    auth_sequence: r.array((r): [bigint, bigint] => [r.u64(), r.u64()]),
    code_sequence: r.varuint32(),
    abi_sequence: r.varuint32(),
  }
}
