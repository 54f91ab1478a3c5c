import { packedTransactions, type BlockKeys } from '../../crypto/block_keys.ts'
import { openWithKeys } from '../../chain/blocks/recover_block.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'

/** Transactions whose keys are recovered in a part of the work: about 0.2 ms. */
const AT_ONCE = 4

/** The transactions of a block that waits for its execution, while their keys are recovered on other threads. */
export interface BlockRecovery {
  /** Resolves when {@link take} can be called. */
  readonly done: Promise<void>
  readonly is_done: boolean
  /** Recovers a few keys on this thread, which would have to wait otherwise. Returns whether there were any. */
  help(): boolean
  /** The packed transactions with their keys, in order; undefined if the execution is to find out what is wrong. */
  take(): readonly TransactionMetadata[] | undefined
}

/** The keys of transactions of which some are known here. */
export class SingleRecovery implements BlockRecovery {
  readonly done: Promise<void>
  is_done = false
  private metas: readonly TransactionMetadata[] | undefined

  constructor(metas: Promise<readonly TransactionMetadata[] | undefined>) {
    this.done = metas.then((found) => {
      this.metas = found
      this.is_done = true
    })
  }

  help(): boolean {
    return false
  }

  take(): readonly TransactionMetadata[] | undefined {
    return this.metas
  }
}

/** The keys of a whole block: this thread recovers those that the others have not begun with when they are needed. */
export class SharedRecovery implements BlockRecovery {
  readonly done = Promise.resolve()
  readonly is_done = true
  private readonly state: BlockState
  private readonly keys: BlockKeys
  private readonly chain_id: Uint8Array

  constructor(state: BlockState, keys: BlockKeys, chain_id: Uint8Array) {
    this.state = state
    this.keys = keys
    this.chain_id = chain_id
  }

  help(): boolean {
    return !this.keys.isTaken && this.keys.work(packedTransactions(this.state.block), AT_ONCE)
  }

  take(): readonly TransactionMetadata[] | undefined {
    return openWithKeys(this.state.block, this.keys, this.chain_id)
  }
}
