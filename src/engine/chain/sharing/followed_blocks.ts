/** The blocks of another thread's chain, found by the rules of that chain (../blocks/block_queries.ts). */
import * as queries from '../blocks/block_queries.ts'
import type { BlockSource, HeldBlock } from '../blocks/block_queries.ts'
import { KeptBlocks } from '../blocks/kept_blocks.ts'
import { ancestorAt } from '../forks/ancestor_at.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { toHex } from '../../protocol/hex.ts'
import { BlockLog } from '../../store/block_log.ts'
import type { SharedBlock, SharedBlocks, SharedFacts } from './shared_facts.ts'

/** This thread cannot answer: only the chain's own thread knows what to do. */
export class UnreadableLogError extends Error {}

/** Finds blocks while the state is locked. */
export class FollowedBlocks {
  private readonly log: FollowedLog
  private readonly source: BlockSource
  private readonly blocks = new Map<string, SharedBlock>()
  private readonly kept = new KeptBlocks<string>()

  /** @param facts what the chain's thread sent last */
  constructor(facts: () => SharedFacts) {
    const log = new FollowedLog(facts)
    this.log = log
    const held = (block: SharedBlock | undefined): HeldBlock | undefined => this.held(block)
    this.source = {
      forks: {
        get head() {
          return facts().fork_head
        },
        get: (id) => held(this.blocks.get(toHex(id))),
        onBranch: (id, block_num) => held(this.onBranch(facts(), toHex(id), block_num)),
      },
      writer: { log },
    }
  }

  /** Takes over changes of the fork database. */
  follow({ added, removed }: SharedBlocks): void {
    for (const block of added) this.blocks.set(block.key, block)
    for (const key of removed) this.blocks.delete(key)
  }

  /** @throws UnreadableLogError */
  blockByNumber(block_num: number): SignedBlock | undefined {
    return queries.blockByNumber(this.source, block_num)
  }

  /** @throws UnreadableLogError */
  blockById(id: Uint8Array): SignedBlock | undefined {
    return queries.blockById(this.source, id)
  }

  /** Closes the block log. Blocks cannot be read from it afterwards. */
  close(): void {
    this.log.close()
  }

  /** As that of ForkDatabase. */
  private onBranch(facts: SharedFacts, key: string, block_num: number): SharedBlock | undefined {
    const { last_irreversible: root } = facts
    if (block_num === root.block_num) return this.blocks.get(toHex(root.id))
    return ancestorAt(this.blocks, key, block_num)
  }

  private held(shared: SharedBlock | undefined): HeldBlock | undefined {
    if (!shared) return undefined
    const { key, packed } = shared
    const { kept } = this
    return {
      has_block: packed !== undefined,
      get block() {
        // Its own copy: not everything that reads bytes takes shared ones.
        return kept.get(key, () => packed && Uint8Array.from(packed))!
      },
    }
  }
}

/** Reads the log that another thread appends to. */
class FollowedLog {
  private readonly facts: () => SharedFacts
  /** As it was when a block after those that were there before was asked for. */
  private opened: BlockLog | undefined

  constructor(facts: () => SharedFacts) {
    this.facts = facts
  }

  read(block_num: number): Uint8Array | undefined {
    const { log } = this.facts()
    if (!log || block_num < log.first_block_num || block_num > log.head_block_num) return undefined
    try {
      if (!this.opened || block_num > this.opened.head_block_num) {
        this.close()
        this.opened = BlockLog.openReadOnly(log.path)
      }
      // The block is in an older file.
      if (block_num < this.opened.first_block_num) throw new Error('the log is split')
      return this.opened.read(block_num)
    } catch (error) {
      this.close()
      throw new UnreadableLogError(`block ${block_num}`, { cause: error })
    }
  }

  close(): void {
    this.opened?.close()
    this.opened = undefined
  }
}
