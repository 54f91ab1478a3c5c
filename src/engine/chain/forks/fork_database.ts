import assert from 'node:assert'
import { check } from '../../errors.ts'
import { bytesEqual, compareBytes, toHex } from '../../protocol/hex.ts'
import { ancestorAt } from './ancestor_at.ts'
import type { BlockState } from '../headers/block_state.ts'
import { blockReference, isGenesisCore, latestQcClaim } from '../headers/savanna/finality_core.ts'
import type { VoteAggregator } from '../headers/savanna/vote_aggregator.ts'
import { compareBranches } from './compare_branches.ts'
import { blockNumFromId } from '../../protocol/block.ts'
import type { QcClaim } from '../../protocol/finality.ts'

/**
 * The way in which a block joined: not the best, the best on top of the best, or the best of
 * another branch.
 */
export type ForkAdd = 'duplicate' | 'added' | 'appended' | 'fork_switch'

/** What {@link ForkDatabase.restore} needs to forget blocks. */
export interface ForkMark {
  /** Ids in hex. */
  readonly keys: ReadonlySet<string>
  readonly savanna_rules: boolean
  readonly final_id: Uint8Array | undefined
}

/**
 * All known blocks after the last irreversible one (the root), in every branch.
 *
 * Invariants: every block's ancestors down to the root are present; the best block is the greatest
 * by (irreversible number, block number, id), or under Savanna by (time of the block of the latest
 * claim, time, id), whether or not it was executed yet.
 * spring: libraries/chain/fork_database.cpp
 */
export class ForkDatabase {
  private readonly blocks = new Map<string, BlockState>()
  private root_block: BlockState
  private best: BlockState | undefined
  private savanna_rules: boolean
  /** Under Savanna: what strong certificates made final, whether or not it was executed yet. */
  private final_id: Uint8Array | undefined
  private newest_voted_num = 0
  private changes = 0

  constructor(root: BlockState) {
    this.root_block = root
    this.savanna_rules = root.leads_to_savanna
    root.validated = true
  }

  /** Whether blocks are taken and compared by the rules of Savanna. */
  get savanna(): boolean {
    return this.savanna_rules
  }

  /** Under Savanna the id of the block that certificates made final, if it is after the root. */
  get pending_final(): Uint8Array | undefined {
    return this.final_id
  }

  /** Switches to the rules of Savanna. All branches except that of `head` are removed. */
  switchToSavanna(head: Uint8Array): void {
    const keep = new Set(this.branch(head).map((block) => block.key))
    for (const key of [...this.blocks.keys()]) if (!keep.has(key)) this.blocks.delete(key)
    this.savanna_rules = true
    this.findBest()
  }

  /** The last irreversible block. */
  get root(): BlockState {
    return this.root_block
  }

  /** The best block; the root when there is no other. */
  get head(): BlockState {
    return this.best ?? this.root_block
  }

  /** Number of blocks above the root. */
  get size(): number {
    return this.blocks.size
  }

  /** A number that changes with the blocks that are known, the root and the best block. */
  get revision(): number {
    return this.changes
  }

  /** All blocks except the root, in no order. */
  all(): Iterable<BlockState> {
    return this.blocks.values()
  }

  /** The block with this id, the root included. */
  get(id: Uint8Array): BlockState | undefined {
    if (bytesEqual(id, this.root_block.id)) return this.root_block
    return this.blocks.get(toHex(id))
  }

  /** Whether a block of this id is here, the root included. */
  has({ key }: BlockState): boolean {
    return key === this.root_block.key || this.blocks.has(key)
  }

  /**
   * Adds a block whose previous one is known.
   * @throws ChainError unlinkable_block_exception
   */
  add(block: BlockState): ForkAdd {
    const { key, previous_key } = block
    const root = this.root_block
    const parent = previous_key === root.key ? root : this.blocks.get(previous_key)
    check(
      parent,
      'unlinkable_block_exception',
      () => `fork_db unlinkable block ${key} previous ${previous_key}`,
    )
    if (this.has(block)) return 'duplicate'
    const old_head = this.head
    if (this.savanna_rules) this.noteClaim(block)
    block.parent = parent
    this.blocks.set(key, block)
    this.changes++
    if (this.best !== undefined && !this.better(block, this.best)) return 'added'
    this.best = block
    return previous_key === old_head.key ? 'appended' : 'fork_switch'
  }

  /** Removes a block and all that build on it. */
  remove(id: Uint8Array): void {
    const queue = [toHex(id)]
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
      this.blocks.delete(key)
      for (const [other, block] of this.blocks) if (block.previous_key === key) queue.push(other)
    }
    this.findBest()
  }

  /**
   * Makes a block of any branch the root; blocks that do not build on it are removed.
   * @throws ChainError fork_database_exception if it is not known, or was not executed
   */
  advanceRoot(id: Uint8Array): void {
    const new_root = this.blocks.get(toHex(id))
    check(
      new_root,
      'fork_database_exception',
      'cannot advance root to a block that does not exist in the fork database',
    )
    check(
      new_root.validated,
      'fork_database_exception',
      'cannot advance root to a block that has not yet been validated',
    )
    const keep = new Set<string>([new_root.key])
    for (const block of this.ascending()) {
      if (keep.has(block.previous_key)) keep.add(block.key)
    }
    keep.delete(new_root.key)
    for (const key of [...this.blocks.keys()]) if (!keep.has(key)) this.blocks.delete(key)
    this.root_block = new_root
    // Else it would keep all blocks before it in memory.
    new_root.parent = undefined
    this.findBest()
  }

  /** Forgets everything and starts at another root. */
  reset(root: BlockState): void {
    this.changes++
    this.blocks.clear()
    this.best = undefined
    this.root_block = root
    root.parent = undefined
    this.savanna_rules = root.leads_to_savanna
    this.final_id = undefined
    root.validated = true
  }

  /** What is known now, for {@link restore}. */
  mark(): ForkMark {
    const { savanna_rules, final_id } = this
    return { keys: new Set(this.blocks.keys()), savanna_rules, final_id }
  }

  /** Forgets the blocks that were added since a mark. The root must be the same. */
  restore({ keys, savanna_rules, final_id }: ForkMark): void {
    for (const key of [...this.blocks.keys()]) if (!keys.has(key)) this.blocks.delete(key)
    this.savanna_rules = savanna_rules
    this.final_id = final_id
    this.findBest()
  }

  /** Blocks from the one with this id down to the root, exclusive; newest first. */
  branch(id: Uint8Array): BlockState[] {
    return [...this.ancestors(id)]
  }

  /** The same one by one, for those who need only the first of them. */
  *ancestors(id: Uint8Array): Generator<BlockState, void> {
    let block = this.blocks.get(toHex(id))
    for (; block !== undefined && block !== this.root_block; block = block.parent) yield block
  }

  /** The votes on a block, to add votes or a certificate. */
  votesOn(block: BlockState): VoteAggregator {
    this.newest_voted_num = Math.max(this.newest_voted_num, block.block_num)
    return block.votes
  }

  /** No block with a greater number has votes or a certificate. */
  get newest_voted(): number {
    return this.newest_voted_num
  }

  /** The last of them of which something holds. There may be hundreds, and each new block asks. */
  lastOnBranch(id: Uint8Array, holds: (block: BlockState) => boolean): BlockState | undefined {
    let block = this.blocks.get(toHex(id))
    while (block !== undefined && block !== this.root_block) {
      if (holds(block)) return block
      block = block.parent
    }
    return undefined
  }

  /** The block with this number on the branch that ends with `id`; the root is on every branch. */
  onBranch(id: Uint8Array, block_num: number): BlockState | undefined {
    if (block_num === this.root_block.block_num) return this.root_block
    return ancestorAt(this.blocks, toHex(id), block_num)
  }

  /** The blocks that lead from the common ancestor to each of two blocks, newest first. */
  branchesFrom(first: Uint8Array, second: Uint8Array): [BlockState[], BlockState[]] {
    const branches: [BlockState[], BlockState[]] = [[], []]
    let a = this.known(first)
    let b = this.known(second)
    while (!bytesEqual(a.id, b.id)) {
      const a_steps = a.block_num >= b.block_num
      const b_steps = b.block_num >= a.block_num
      if (a_steps) {
        branches[0].push(a)
        a = this.parentOf(a)
      }
      if (b_steps) {
        branches[1].push(b)
        b = this.parentOf(b)
      }
    }
    return branches
  }

  /**
   * Whether `id`, or an ancestor not older than `claimed_id`, was executed and valid. The claimed
   * block is `id` itself or one of its ancestors; the root always counts as valid.
   */
  hasValidated(id: Uint8Array, claimed_id: Uint8Array): boolean {
    const branch = this.branch(id)
    for (const block of branch) {
      if (block.validated) return true
      if (bytesEqual(block.id, claimed_id)) return false
    }
    return branch.length > 0 || bytesEqual(id, this.root_block.id)
  }

  /** All blocks except the root, parents before children. */
  ascending(): BlockState[] {
    return [...this.blocks.values()].sort((a, b) => a.block_num - b.block_num)
  }

  private parentOf(block: BlockState): BlockState {
    return block.parent ?? this.known(block.previous)
  }

  private known(id: Uint8Array): BlockState {
    const block = this.get(id)
    check(block, 'fork_db_block_not_found', () => `block ${toHex(id)} does not exist`)
    return block
  }

  /**
   * A block with a strong certificate for another block makes that block's claim final, even if the
   * block itself is invalid: it only carries the certificate, which was verified.
   */
  private noteClaim(block: BlockState): void {
    const claim = latestQcClaim(block.savanna_state.core)
    const parent = this.blocks.get(block.previous_key)?.savanna
    // The parent made the same claim: spares walking along the branch, which is long where votes are late.
    if (parent && isSameClaim(latestQcClaim(parent.core), claim)) return
    const known = this.final_id === undefined ? 0 : blockNumFromId(this.final_id)
    if (!claim.is_strong_qc || claim.block_num <= known) return
    if (claim.block_num <= this.root_block.block_num) return
    const claimed = this.onBranch(block.previous, claim.block_num)
    if (claimed === undefined) return
    const { core } = claimed.savanna_state
    if (isGenesisCore(core)) return
    const { block_id } = blockReference(core, latestQcClaim(core).block_num)
    if (blockNumFromId(block_id) > known) this.final_id = block_id
  }

  private findBest(): void {
    let best: BlockState | undefined
    for (const block of this.blocks.values()) {
      if (best === undefined || this.better(block, best)) best = block
    }
    this.best = best
    this.changes++
    assert(best === undefined || best.block_num > this.root_block.block_num)
  }

  private better(a: BlockState, b: BlockState): boolean {
    // Before Savanna there was one branch, whose blocks may still be here.
    return this.savanna_rules && a.savanna && b.savanna
      ? compareBranches(a.savanna, b.savanna) > 0
      : betterLegacy(a, b)
  }
}

function isSameClaim(a: QcClaim, b: QcClaim): boolean {
  return a.block_num === b.block_num && a.is_strong_qc === b.is_strong_qc
}

function betterLegacy(a: BlockState, b: BlockState): boolean {
  if (a.irreversible_block_num !== b.irreversible_block_num) {
    return a.irreversible_block_num > b.irreversible_block_num
  }
  if (a.block_num !== b.block_num) return a.block_num > b.block_num
  return compareBytes(a.id, b.id) > 0
}
