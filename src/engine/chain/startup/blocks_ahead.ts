import type { KeyRecovery } from '../../crypto/recovery_message.ts'
import { ChainError, check } from '../../errors.ts'
import { unpackSignedBlock } from '../../protocol/block.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { Reader } from '../../protocol/reader.ts'
import { recoverInOrder } from '../blocks/recover_block.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'

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

interface Read extends Omit<LoggedBlock, 'metas'> {
  metas: Promise<(TransactionMetadata | undefined)[]> | undefined
}

/** Keys of so many transactions are recovered while blocks before them are executed: some 100 ms of work. */
const TRANSACTIONS_AHEAD = 3000
const BLOCKS_AHEAD = 64

/** Reads the blocks of a log in order; with `recovery`, the keys of later blocks are recovered meanwhile. */
export class BlocksAhead {
  private readonly source: BlockSource
  private readonly last: number
  private readonly chain_id: Uint8Array
  private readonly recovery: KeyRecovery | undefined
  private readonly queue: Read[] = []
  private transactions = 0
  private next: number

  /** @param first number of the first block; @param last of the last one */
  constructor(
    source: BlockSource,
    [first, last]: readonly [first: number, last: number],
    chain_id: Uint8Array,
    recovery: KeyRecovery | undefined,
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
  async take(): Promise<LoggedBlock> {
    if (this.recovery !== undefined) this.readAhead()
    const { metas, ...read } = this.queue.shift() ?? this.read(this.next++)
    this.transactions -= read.block.transactions.length
    const recovered = (await metas)?.filter((meta) => meta !== undefined)
    const { length } = read.block.transactions.filter(({ trx }) => 'packed' in trx)
    // What cannot be opened or recovered fails when the block is applied.
    return { ...read, metas: recovered?.length === length ? recovered : undefined }
  }

  private readAhead(): void {
    const { queue } = this
    while (
      this.next <= this.last &&
      queue.length < BLOCKS_AHEAD &&
      this.transactions < TRANSACTIONS_AHEAD
    ) {
      try {
        queue.push(this.read(this.next))
        this.next++
      } catch (error) {
        if (!(error instanceof ChainError)) throw error
        // Blocks before it are applied first; then it is the next one, and fails again.
        return
      }
    }
  }

  private read(block_num: number): Read {
    const packed = this.source.read(block_num)
    check(packed, 'block_log_exception', () => `block ${block_num} is missing in the block log`)
    const block = unpackSignedBlock(new Reader(packed))
    this.transactions += block.transactions.length
    const metas = this.recovery && recoverInOrder(block, this.chain_id, this.recovery)
    // Reported when the block is taken.
    metas?.catch(() => undefined)
    return { packed, block, metas }
  }
}
