import type { BlockMaker, Moment } from './block_maker.ts'

/** A moment of a chain to which it can go back, until it is dropped. */
export class Checkpoint {
  private readonly maker: BlockMaker
  private readonly moment: Moment

  /** @internal */
  constructor(maker: BlockMaker) {
    this.maker = maker
    this.moment = maker.takeCheckpoint()
  }

  /**
   * Makes the chain what it was: accounts, tables, blocks and time. The checkpoint remains; those that
   * were taken after it are dropped.
   * @throws ChainError the checkpoint was dropped
   */
  goBack(): void {
    this.maker.goBackTo(this.moment)
  }

  /**
   * Frees what the checkpoint holds. The chain stays as it is.
   * @throws ChainError the checkpoint was dropped already
   */
  drop(): void {
    this.maker.dropCheckpoint(this.moment)
  }
}
