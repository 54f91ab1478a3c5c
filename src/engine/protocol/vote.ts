import { BLS_PUBLIC_KEY_SIZE, BLS_SIGNATURE_SIZE } from './finality.ts'
import type { Reader } from './reader.ts'
import type { Writer } from './writer.ts'
import { check } from '../errors.ts'

/** A finalizer's vote on a block. spring: libraries/chain/include/eosio/chain/vote_message.hpp */
export interface Vote {
  block_id: Uint8Array
  strong: boolean
  finalizer_key: Uint8Array
  signature: Uint8Array
}

/** The result of a vote. spring: vote_result_t */
export type VoteResult =
  | 'success'
  // The finalizer's vote on the block is known.
  | 'duplicate'
  | 'unknown_public_key'
  | 'invalid_signature'
  | 'unknown_block'

/** Writes a vote in the wire format: block id, strength, key and signature. */
export function packVote(w: Writer, vote: Vote): void {
  w.raw(vote.block_id)
  w.bool(vote.strong)
  w.blob(vote.finalizer_key)
  w.blob(vote.signature)
}

/**
 * Reads a vote in the wire format.
 * @throws ChainError if the sizes of key or signature are wrong
 */
export function unpackVote(r: Reader): Vote {
  const vote = {
    block_id: r.checksum256(),
    strong: r.bool(),
    finalizer_key: r.blob(),
    signature: r.blob(),
  }
  check(
    vote.finalizer_key.length === BLS_PUBLIC_KEY_SIZE &&
      vote.signature.length === BLS_SIGNATURE_SIZE,
    'assert_exception',
    'wrong size of a BLS key or signature',
  )
  return vote
}
