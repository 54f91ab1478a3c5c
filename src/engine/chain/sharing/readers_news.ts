import type { ChainParts } from '../blocks/chain_parts.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { SharedBlock, SharedBlocks, SharedFacts, SharedHead } from './shared_facts.ts'

/** What a message to readers has: what is new, or everything for a new reader. */
export interface News {
  facts: SharedFacts
  blocks: SharedBlocks
}

/** Finds what has changed for the readers of a chain since the last time. */
export class ReadersNews {
  private readonly chain: ChainParts
  /** The blocks that readers know. Their bytes are copied once for all readers. */
  private readonly blocks = new Map<string, SharedBlock>()
  private known: { head: BlockState; forks_revision: number } | undefined
  private greylist: ReadonlySet<bigint> = new Set()

  constructor(chain: ChainParts) {
    this.chain = chain
  }

  /** What is new; undefined if nothing is. */
  next(): News | undefined {
    const { head, forks, rules } = this.chain
    const { known } = this
    const are_blocks_known = forks.revision === known?.forks_revision
    if (
      are_blocks_known &&
      head === known?.head &&
      sameSet(rules.resource_greylist, this.greylist)
    ) {
      return undefined
    }
    this.known = { head, forks_revision: forks.revision }
    this.greylist = new Set(rules.resource_greylist)
    const blocks = are_blocks_known ? { added: [], removed: [] } : this.newBlocks()
    return { facts: this.facts(), blocks }
  }

  /** What a new reader is sent. Only after {@link next}. */
  everything(): News {
    return { facts: this.facts(), blocks: { added: [...this.blocks.values()], removed: [] } }
  }

  private facts(): SharedFacts {
    const { head, forks, writer } = this.chain
    const { path, first_block_num, head_block_num } = writer.log
    const has_log = path !== undefined && head_block_num > 0
    return {
      head: headOf(head),
      last_irreversible: headOf(forks.root),
      fork_head: headOf(forks.head),
      earliest_available_block_num: first_block_num || forks.root.block_num,
      log: has_log ? { path, first_block_num, head_block_num } : undefined,
      rules: { resource_greylist: this.greylist },
    }
  }

  private newBlocks(): SharedBlocks {
    const { root } = this.chain.forks
    const present = new Set([root.key])
    const added: SharedBlock[] = []
    for (const block of [root, ...this.chain.forks.all()]) {
      present.add(block.key)
      if (this.blocks.has(block.key)) continue
      const shared = sharedBlock(block)
      this.blocks.set(block.key, shared)
      added.push(shared)
    }
    const removed = [...this.blocks.keys()].filter((key) => !present.has(key))
    for (const key of removed) this.blocks.delete(key)
    return { added, removed }
  }
}

function headOf({ block_num, id, timestamp, producer }: BlockState): SharedHead {
  // Of its own: with a view, its whole buffer would be sent.
  return { block_num, id: Uint8Array.from(id), timestamp, producer }
}

function sharedBlock(block: BlockState): SharedBlock {
  const { key, previous_key, block_num } = block
  let packed: SharedBlock['packed']
  if (block.has_block) {
    packed = new Uint8Array(new SharedArrayBuffer(block.packed_block.length))
    packed.set(block.packed_block)
  }
  return { key, previous_key, block_num, packed }
}

function sameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  if (a.size !== b.size) return false
  for (const item of a) if (!b.has(item)) return false
  return true
}
