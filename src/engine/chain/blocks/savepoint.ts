import type { Session } from '../../state/session.ts'
import { makeRestorePoint, restoreBlock } from '../execution/block_context.ts'
import type { RestorePoint } from '../execution/block_context.ts'
import type { BuildingBlock } from './building_block.ts'

/**
 * A moment within the pending block, between two transactions. The block can return to it any number of times;
 * before the block ends, it must be released. Subscribers that collect the transactions of a block get no event when
 * some are taken back.
 */
export class Savepoint {
  private readonly block: BuildingBlock
  private readonly point: RestorePoint
  private readonly state: Pick<BuildingBlock, 'legacy' | 'new_pending_schedule' | 'checks_required'>
  private readonly proposals: BuildingBlock['proposals']
  private readonly report: BuildingBlock['report']
  private readonly transaction_count: number
  private session: Session

  constructor(block: BuildingBlock) {
    const { legacy, new_pending_schedule, checks_required } = block
    this.block = block
    this.point = makeRestorePoint(block)
    this.state = { legacy, new_pending_schedule, checks_required }
    this.proposals = { ...block.proposals }
    this.report = { ...block.report }
    this.transaction_count = block.transaction_count
    this.session = block.db.startSession()
  }

  /** Takes back what transactions did since. */
  rollBack(): void {
    const { block } = this
    this.session.undo()
    restoreBlock(block, this.point)
    Object.assign(block, this.state)
    Object.assign(block.proposals, this.proposals)
    Object.assign(block.report, this.report)
    block.transaction_count = this.transaction_count
    this.session = block.db.startSession()
  }

  /** Ends it; the block stays as it is. */
  release(): void {
    this.session.squash()
  }
}
