/**
 * Votes of this node's own finalizers: decided at once, signed on another thread while the safety
 * information goes to the disk, and given away when both are done.
 * spring: libraries/chain/controller.cpp (create_and_send_vote_msg)
 */
import type { SafetyStore } from '../../store/safety_store.ts'
import type { LogFunction } from '../chain_options.ts'
import type { NodeFinalizers, VoteDraft } from './node_finalizers.ts'
import type { SavannaHeaderState } from './savanna_header_state.ts'
import type { Vote } from './vote.ts'

/** Signs with BLS keys, on whichever thread. */
export interface VoteSigner {
  sign(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array>
}

export interface VoterDependencies {
  finalizers: NodeFinalizers
  store: SafetyStore
  signer: VoteSigner
  log: LogFunction
  /** Hears of every vote that may be given away. */
  onVote: (vote: Vote) => void
}

export class Voter {
  readonly finalizers: NodeFinalizers
  private readonly deps: VoterDependencies
  private work: Promise<void> = Promise.resolve()
  /** The last block whose votes were decided and could not be cast. */
  private failed: SavannaHeaderState | undefined

  constructor(deps: VoterDependencies) {
    this.deps = deps
    this.finalizers = deps.finalizers
  }

  /** Votes on a block if finalizers of this node may. */
  vote(block: SavannaHeaderState): void {
    const drafts = this.finalizers.draftVotes(block)
    if (drafts.length === 0) return
    this.cast(block, drafts)
  }

  /** Casts the votes that could not be cast when they were decided, unless later ones were. */
  retry(): void {
    const block = this.failed
    if (block !== undefined) this.cast(block, this.finalizers.repeatVotes(block))
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

  /** Saves what the finalizers learned of certificates. */
  save(): void {
    const bytes = this.finalizers.pack()
    this.queue(() => this.deps.store.save(bytes))
  }

  /** Resolves when nothing is on its way. */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined
    while (seen !== this.work) await (seen = this.work)
  }

  private cast(block: SavannaHeaderState, drafts: readonly VoteDraft[]): void {
    const bytes = this.finalizers.pack()
    this.failed = undefined
    this.queue(async () => {
      try {
        // Both together: neither depends on the other, but no vote leaves before both are done.
        const [votes] = await Promise.all([
          Promise.all(drafts.map((draft) => this.sign(draft))),
          this.deps.store.save(bytes),
        ])
        for (const vote of votes) this.deps.onVote(vote)
      } catch (error) {
        this.failed = block
        throw error
      }
    })
  }

  private async sign({ secret, message, ...vote }: VoteDraft): Promise<Vote> {
    const signature = await this.deps.signer.sign(secret, message)
    return { ...vote, signature }
  }

  /** One after the other, so that the disk never gets older information after newer. */
  private queue(task: () => Promise<void>): void {
    this.work = this.work.then(task).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      this.deps.log('error', `a vote was not cast: ${reason}`)
    })
  }
}
