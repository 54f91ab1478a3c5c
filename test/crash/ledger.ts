/** What a node told others, which it must know after every kill. */

/** What get_info tells of the chain. */
export interface Info {
  head_block_num: number
  head_block_id: string
  last_irreversible_block_num: number
  last_irreversible_block_id: string
}

export interface Request {
  snapshot_request_id: number
  block_spacing: number
  start_block_num: number
  end_block_num: number
}

export class Ledger {
  /** Ids of announced blocks that are not checked yet, by number. */
  readonly blocks = new Map<number, string>()
  /** Transactions that were answered when they were in a block: id -> that block's number. */
  readonly transactions = new Map<string, number>()
  /** Snapshots that were announced: path -> block number. */
  readonly snapshots = new Map<string, number>()
  /** Snapshot requests that were answered, by id. */
  readonly requests = new Map<number, Request>()
  /** Requests to make or to remove one that were not answered before the kill: either is right. */
  readonly uncertain = new Set<string>()
  head = 0
  irreversible = 0

  heard(info: Info): void {
    this.blocks.set(info.head_block_num, info.head_block_id)
    this.blocks.set(info.last_irreversible_block_num, info.last_irreversible_block_id)
    this.head = Math.max(this.head, info.head_block_num)
    this.irreversible = Math.max(this.irreversible, info.last_irreversible_block_num)
  }
}
