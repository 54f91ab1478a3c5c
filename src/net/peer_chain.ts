/** The chain as the network uses it. It is given from outside: no rule of consensus is here. */
import type { ChainError } from '../engine/errors.ts'
import type { SignedBlock, SignedBlockHeader } from '../engine/protocol/block.ts'
import type {
  PackedTransaction,
  UnpackedTransaction,
} from '../engine/protocol/packed_transaction.ts'
import type { Vote, VoteResult } from '../engine/protocol/vote.ts'

/** Where the chain is. Ids are 32 bytes. */
export interface ChainPosition {
  /** The last irreversible block. */
  root_num: number
  root_id: Uint8Array
  /** The last block that was executed. */
  head_num: number
  head_id: Uint8Array
  head_slot: number
  /** The best known block, whether it was executed or not. */
  fork_head_num: number
  fork_head_id: Uint8Array
  /** The last block that the best one makes irreversible, whether it was executed or not. */
  fork_head_root_num: number
}

/** What became of a block. */
export type BlockOutcome =
  | 'duplicate'
  // It is not on the best branch.
  | 'added'
  | 'appended'
  | 'fork_switch'
  // Its previous block is not known.
  | 'unlinkable'
  | ChainError

/** A block with its transactions. */
export interface OpenedBlock {
  block: SignedBlock
  /** In the shortest form, from which ids and hashes are computed. */
  packed: Uint8Array
}

/** A block from a peer, of which the header alone was read: many may wait. */
export interface ReceivedBlock {
  header: SignedBlockHeader
  /** Bytes of all of it. */
  size: number
  id: Uint8Array
  block_num: number
  /** Reads all of it, when it is checked. @throws ChainError for bytes that are not a block */
  open(): OpenedBlock
}

/** A transaction from a peer, as it came and opened. */
export interface ReceivedTransaction {
  packed: PackedTransaction
  opened: UnpackedTransaction
}

/** What the network asks of the chain, and gives to it. */
export interface PeerChain {
  readonly chain_id: Uint8Array
  /** Whether votes are of use to this node. */
  readonly accepts_votes: boolean
  /** Blocks are executed only when they are irreversible. */
  readonly executes_irreversible: boolean
  position(): ChainPosition
  /** Number of the first block that this node has. */
  earliestBlockNum(): number
  /** The id of the block with this number on the best branch. */
  blockId(block_num: number): Uint8Array | undefined
  /** The block with this number on the best branch, packed. */
  packedBlock(block_num: number): Uint8Array | undefined
  /** Whether this node produces for the producer. */
  producesFor(producer: bigint): boolean
  /** Whether a private key of a producer of this node belongs to this public key. */
  hasProducerKey(key: Uint8Array): boolean
  /** The key that a producer registered for peers in the state; undefined if there is none, or it is not
   *  known. */
  peerKey(producer: bigint): Uint8Array | undefined
  /** Signs with the private key of a producer of this node; undefined if the key is not here. */
  signAs(public_key: Uint8Array, digest: Uint8Array): Uint8Array | undefined
  /** Checks a block, adds it to the fork database and executes it when its turn comes. `outcome` is
   *  called once, when it is checked. */
  takeBlock(received: ReceivedBlock, outcome: (outcome: BlockOutcome) => void): void
  /** Executes a transaction, like a submission without an answer: after those that came before it in the session of
   *  the connection, and after the blocks that came. `done` is called once. */
  takeTransaction(transaction: ReceivedTransaction, session: number, done: () => void): void
  /** Adds the vote of another node's finalizer. */
  takeVote(vote: Vote): Promise<VoteResult>
}
