import { nameToString } from '../../../protocol/name.ts'
import type { ProducerAuthority } from '../../../protocol/schedule.ts'
import { BLOCK_INTERVAL_US } from '../../../protocol/constants.ts'
import { slotToUs } from '../../../protocol/time.ts'
import type { Chain } from '../../../chain/chain.ts'
import type { Log } from '../../../log.ts'
import type { ProductionPause } from './production_pause.ts'
import type { ProductionRights } from '../production_rights.ts'
import type { VotePause } from '../vote_pause.ts'

/** The parts of the node that the permission depends on. */
export interface PermissionDependencies {
  chain: Chain
  rights: ProductionRights
  pause: ProductionPause
  votes: VotePause
  log: Log
}

/**
 * Decides whether the block of a slot is produced now: the chain must not be stale, production not paused, and this
 * node must have the right. A new reason against it is logged once.
 * spring: plugins/producer_plugin/producer_plugin.cpp (determine_pending_block_mode)
 */
export class ProductionPermission {
  /** Another service may forbid production and give the reason: the network does while blocks are missing here. */
  heldBack: () => string | undefined = () => undefined
  /** The chain is not stale, or stale production is enabled. */
  is_current: boolean
  private readonly deps: PermissionDependencies
  /** The reason why no block is produced in this node's turn; logged once. */
  private refusal: string | undefined

  /** @param stale_production a stale chain is as good as a current one */
  constructor(stale_production: boolean, deps: PermissionDependencies) {
    this.is_current = stale_production
    this.deps = deps
  }

  /** There is a new head: if it is recent, the chain is not stale from now on. */
  headChanged(now_us: number): void {
    const age_us = now_us - slotToUs(this.deps.chain.head.timestamp)
    if (age_us < 2 * BLOCK_INTERVAL_US) this.is_current = true
  }

  /** Neither a stale chain nor an operator keeps this node from producing. */
  get is_enabled(): boolean {
    return this.is_current && !this.deps.pause.requested
  }

  /** @param scheduled the producer of the slot */
  mayProduce(now_us: number, slot: number, scheduled: ProducerAuthority): boolean {
    const { rights, pause, log } = this.deps
    if (!rights.producers.has(scheduled.producer_name)) return false
    const refusal = this.refusalOf(now_us, slot, scheduled)
    if (refusal !== undefined && refusal !== this.refusal) {
      const level = pause.requested ? 'info' : 'warn'
      log(level, `not producing for ${nameToString(scheduled.producer_name)}: ${refusal}`)
    }
    this.refusal = refusal
    return refusal === undefined
  }

  private refusalOf(
    now_us: number,
    slot: number,
    scheduled: ProducerAuthority,
  ): string | undefined {
    const { chain, rights, pause, votes } = this.deps
    if (!this.is_current) return 'the chain is stale, and stale production is not enabled'
    if (pause.requested) return 'production is paused'
    const held_back = this.heldBack()
    if (held_back !== undefined) return held_back
    const no_votes = votes.reason()
    // Own ones that could not be written may be now, and no new block would ask for them.
    if (no_votes !== undefined) chain.retryVotes()
    return no_votes ?? rights.refusal(now_us, slot, scheduled)
  }
}
