/**
 * The votes of this node's finalizers. They are signed on another thread while the safety
 * information is written to the disk, and published when both are done.
 *
 * One vote is in progress at a time. When the thread is free, the next vote is for the best block
 * at that time. If signing takes longer than a block interval, there are fewer votes, but not votes
 * on older blocks: finality stays about four votes behind the head.
 * spring: libraries/chain/controller.cpp (create_and_send_vote_msg)
 */
import { check } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { QuorumCertificate } from '../../protocol/finality.ts'
import { bytesEqual } from '../../protocol/hex.ts'
import type { SafetyStore } from '../../store/safety_store.ts'
import type { BlockRef } from '../headers/savanna/finality_core.ts'
import type { NodeFinalizers, VoteDraft } from './node_finalizers.ts'
import type { SafetyRecord } from './safety_file.ts'
import type { SavannaHeaderState } from '../headers/savanna/header_state.ts'
import type { Vote } from '../../protocol/vote.ts'
import { VoteCandidates } from './vote_candidates.ts'

/** Signs with BLS keys, on whichever thread. */
export interface VoteSigner {
  sign(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array>
}

/** The parts of the node that a voter uses. */
export interface VoterDependencies {
  finalizers: NodeFinalizers
  store: SafetyStore
  signer: VoteSigner
  log: Log
  /** Whether a block is still of use: neither refused nor final. */
  isReversible: (block_id: Uint8Array) => boolean
  /** Makes a block last before a finalizer is bound to it. */
  keepBlock: (block_id: Uint8Array) => void
  /** Called with every vote that may be published. */
  onVote: (vote: Vote) => void
}

/**
 * Votes with this node's finalizers. A vote is published only after the safety information and the
 * blocks that it refers to are on the disk. At most one vote is signed at a time.
 */
export class Voter {
  readonly finalizers: NodeFinalizers
  private readonly deps: VoterDependencies
  private readonly candidates = new VoteCandidates()
  private is_queued = false
  private is_save_queued = false
  /** The last block for which a certificate was processed. */
  private noticed: Uint8Array | undefined
  private work: Promise<void> = Promise.resolve()
  /** Tasks in `work` that have not ended. */
  private working = 0
  /** The last blocks whose votes were decided and could not be cast. */
  private failed: readonly SavannaHeaderState[] = []

  constructor(deps: VoterDependencies) {
    this.deps = deps
    this.finalizers = deps.finalizers
  }

  /** Votes on a block if finalizers of this node may, and if no better block comes meanwhile. */
  vote(block: SavannaHeaderState): void {
    this.candidates.add(block)
    if (this.is_queued) return
    this.is_queued = true
    this.queue(() => this.voteOnBest())
  }

  /** Casts the votes that could not be cast when they were decided, unless later ones were. */
  retry(): void {
    const blocks = this.failed
    if (blocks.length === 0) return
    this.failed = []
    this.queue(async () => {
      const drafts = blocks.flatMap((block) => this.finalizers.repeatVotes(block))
      if (drafts.length > 0) await this.cast(drafts)
    })
  }

  /** Casts again what finalizers of this node voted on a block before the process ended: the votes
   *  were in memory alone. */
  repeat(block: SavannaHeaderState): void {
    const drafts = this.finalizers.repeatVotes(block)
    if (drafts.length === 0) return
    this.queue(async () => {
      for (const draft of drafts) this.deps.onVote(await this.sign(draft))
    })
  }

  /** Processes a strong certificate for a block. */
  notice(block: SavannaHeaderState, qc: QuorumCertificate): void {
    if (!this.finalizers.noticeCertificate(block, qc)) return
    this.noticed = block.id
    if (this.is_save_queued) return
    this.is_save_queued = true
    this.queue(() => this.saveNoticed())
  }

  /**
   * Finalizers discard their safety information and get this lock, because the blocks of their
   * votes are lost.
   * @returns where the old safety information is kept
   */
  async forget(lock: BlockRef): Promise<string | undefined> {
    await this.settled()
    const kept = this.deps.store.setAside()
    this.finalizers.forget(lock)
    await this.deps.store.save(this.finalizers.pack())
    return kept
  }

  /**
   * Finalizers forget their votes since these records were made: the blocks after that are forgotten too. On
   * return, this is on the disk.
   * @throws finalizer_safety_exception while a vote is being written to the disk
   */
  goBack(records: readonly SafetyRecord[]): void {
    const { store } = this.deps
    check(
      store.in_memory || this.working === 0,
      'finalizer_safety_exception',
      'a vote is being written to the disk: wait for it before going back',
    )
    this.finalizers.restore(records)
    this.failed = []
    store.saveNow(this.finalizers.pack())
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined
    while (seen !== this.work) await (seen = this.work)
  }

  private async voteOnBest(): Promise<void> {
    this.is_queued = false
    const blocks = this.candidates.take().filter(({ id }) => this.deps.isReversible(id))
    const drafts = this.finalizers.draftVotes(blocks)
    if (drafts.length > 0) await this.cast(drafts)
  }

  private async saveNoticed(): Promise<void> {
    this.is_save_queued = false
    this.deps.keepBlock(this.noticed!)
    await this.deps.store.save(this.finalizers.pack())
  }

  private async cast(drafts: readonly VoteDraft[]): Promise<void> {
    const blocks = blocksOf(drafts)
    try {
      for (const { id } of blocks) this.deps.keepBlock(id)
      // Both together: neither depends on the other, but no vote leaves before both are done.
      const [votes] = await Promise.all([
        Promise.all(drafts.map((draft) => this.sign(draft))),
        this.deps.store.save(this.finalizers.pack()),
      ])
      for (const vote of votes) this.deps.onVote(vote)
      this.failed = []
    } catch (error) {
      this.failed = blocks
      throw error
    }
  }

  private async sign({ secret, message, block, ...vote }: VoteDraft): Promise<Vote> {
    const signature = await this.deps.signer.sign(secret, message)
    return { ...vote, block_id: block.id, signature }
  }

  /** One at a time, so that older information is never written after newer. */
  private queue(task: () => Promise<void>): void {
    this.working++
    this.work = this.work
      .then(task)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error)
        this.deps.log('error', `a vote was not cast: ${reason}`)
      })
      .finally(() => void this.working--)
  }
}

function blocksOf(drafts: readonly VoteDraft[]): SavannaHeaderState[] {
  const blocks: SavannaHeaderState[] = []
  for (const { block } of drafts) {
    if (!blocks.some(({ id }) => bytesEqual(id, block.id))) blocks.push(block)
  }
  return blocks
}
