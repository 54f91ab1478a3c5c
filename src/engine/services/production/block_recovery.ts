import type { BlockKeys } from '../../crypto/block_keys.ts'
import { openWithKeys } from '../../chain/blocks/recover_block.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { TransactionMetadata } from '../../chain/base/transaction_metadata.ts'

/** The transactions of a block that waits for its execution, while their keys are recovered on other threads. */
export interface BlockRecovery {
  /** Resolves when {@link take} can be called. */
  readonly done: Promise<void>
  readonly is_done: boolean
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

  take(): readonly TransactionMetadata[] | undefined {
    return openWithKeys(this.state.block, this.keys, this.chain_id)
  }
}
