import { ChainError, check } from '../../errors.ts'
import type { BlockKeys } from '../../crypto/block_keys.ts'
import type { BlockKeyThreads } from '../../crypto/block_key_threads.ts'
import { unpackSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { Reader } from '../../protocol/reader.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import { openWithKeys } from '../blocks/recover_block.ts'

/** A block log as far as a replay needs it. */
export interface BlockSource {
  /** Number of the last block; 0 if there is none. */
  readonly head_block_num: number
  read(block_num: number): Uint8Array | undefined
}

/** A block that was read from a log. */
export interface LoggedBlock {
  packed: Uint8Array
  block: SignedBlock
  /** Its packed transactions with their keys, in order; undefined where they were not recovered ahead. */
  metas: readonly TransactionMetadata[] | undefined
}

/** A block that waits. It is opened again when its turn comes: the objects of many blocks cost the collection of garbage
 *  more. */
interface Read {
  packed: Uint8Array
  transactions: number
  keys: BlockKeys
}

/** Each thread has so many transactions before it: some 100 ms of work, which is longer than a block takes. */
const TRANSACTIONS_AHEAD = 2000
const BLOCKS_AHEAD = 64

/** Reads the blocks of a log in order; with `recovery`, the keys of later blocks are recovered meanwhile. */
export class BlocksAhead {
  private readonly source: BlockSource
  private readonly last: number
  private readonly chain_id: Uint8Array
  private readonly recovery: BlockKeyThreads | undefined
  private readonly queue: Read[] = []
  private transactions = 0
  private next: number

  /** @param first number of the first block; @param last of the last one */
  constructor(
    source: BlockSource,
    [first, last]: readonly [first: number, last: number],
    chain_id: Uint8Array,
    recovery: BlockKeyThreads | undefined,
  ) {
    this.source = source
    this.next = first
    this.last = last
    this.chain_id = chain_id
    this.recovery = recovery
  }

  /**
   * The next block.
   * @throws ChainError if it is missing or cannot be read
   */
  take(): LoggedBlock {
    const { recovery } = this
    if (recovery === undefined) {
      const packed = this.read(this.next++)
      return { packed, block: open(packed), metas: undefined }
    }
    this.readAhead(recovery)
    const { packed, transactions, keys } = this.queue.shift() ?? this.begin(this.next++, recovery)
    this.transactions -= transactions
    const block = open(packed)
    return { packed, block, metas: openWithKeys(block, keys, this.chain_id) }
  }

  private readAhead(recovery: BlockKeyThreads): void {
    const { queue } = this
    while (
      this.next <= this.last &&
      queue.length < BLOCKS_AHEAD &&
      this.transactions < TRANSACTIONS_AHEAD * (1 + recovery.size)
    ) {
      try {
        queue.push(this.begin(this.next, recovery))
        this.next++
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        // Blocks before it are applied first; then it is the next one, and fails again.
        return
      }
    }
  }

  /** Begins to recover the keys of a block. */
  private begin(block_num: number, recovery: BlockKeyThreads): Read {
    const packed = this.read(block_num)
    const block = open(packed)
    const transactions = block.transactions.length
    this.transactions += transactions
    return { packed, transactions, keys: recovery.begin(block, packed, this.chain_id) }
  }

  private read(block_num: number): Uint8Array {
    const packed = this.source.read(block_num)
    check(packed, 'block_log_exception', () => `block ${block_num} is missing in the block log`)
    return packed
  }
}

const open = (packed: Uint8Array): SignedBlock => unpackSignedBlock(new Reader(packed))
