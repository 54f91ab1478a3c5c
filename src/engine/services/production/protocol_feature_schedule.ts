import type { Log } from '../../log.ts'
import { ChainError, check } from '../../errors.ts'
import { toHex } from '../../protocol/hex.ts'
import type { Chain } from '../../chain/chain.ts'

/**
 * Protocol features that the operator scheduled for the next produced block.
 * spring: producer_plugin_impl::schedule_protocol_feature_activations, start_block
 */
export class ProtocolFeatureSchedule {
  private readonly chain: Chain
  private readonly log: Log
  private wanted: readonly Uint8Array[] = []
  /** The pending block carries the wanted features. */
  private signaled = false

  constructor(chain: Chain, log: Log) {
    this.chain = chain
    this.log = log
  }

  /** The digests of the features that the next produced block shall activate. */
  get scheduled(): readonly Uint8Array[] {
    return this.wanted
  }

  /** Replaces the wanted features.
   *  @throws invalid_protocol_features_to_activate, protocol_feature_exception */
  schedule(digests: readonly Uint8Array[]): void {
    const distinct = new Set(digests.map(toHex))
    check(
      distinct.size === digests.length,
      'invalid_protocol_features_to_activate',
      'duplicate digests',
    )
    this.chain.validateProtocolFeatures(digests)
    for (const digest of digests) {
      check(
        !this.chain.requiresPreactivation(digest),
        'protocol_feature_exception',
        () => `protocol feature requires preactivation: ${toHex(digest)}`,
      )
    }
    this.wanted = [...digests]
    this.signaled = false
  }

  /** The features that a block built now activates: the wanted ones, then preactivated ones. */
  forBlock(producing: boolean): Uint8Array[] {
    const preactivated = this.chain.preactivatedFeatures()
    if (!producing || !this.stillValid()) return preactivated
    this.signaled = true
    const wanted = new Set(this.wanted.map(toHex))
    return [...this.wanted, ...preactivated.filter((digest) => !wanted.has(toHex(digest)))]
  }

  /** Whether there are wanted features; they are dropped when the chain would refuse them now. */
  private stillValid(): boolean {
    if (this.wanted.length === 0) return false
    try {
      this.chain.validateProtocolFeatures(this.wanted)
      return true
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      this.log('warn', `scheduled protocol features are discarded: ${error.message}`)
      this.wanted = []
      return false
    }
  }

  /** The pending block was produced: what it carried is done. */
  produced(): void {
    if (!this.signaled) return
    this.wanted = []
    this.signaled = false
  }
}
