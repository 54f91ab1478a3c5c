import type { ChainEvents } from '../../chain/chain_events.ts'
import type { Clock } from '../../clock.ts'
import { AccountFailures, type AccountFailureOptions } from './account_failures.ts'
import { SubjectiveBilling, type SubjectiveBillingOptions } from './subjective_billing.ts'

/**
 * The limits of accounts on this node only: charges for work that no block bills, and counts of
 * failures.
 */
export class SubjectiveLimits {
  readonly billing: SubjectiveBilling
  readonly failures: AccountFailures
  private readonly clock: Clock

  constructor(
    options: { billing: SubjectiveBillingOptions; failures: AccountFailureOptions },
    clock: Clock,
  ) {
    this.billing = new SubjectiveBilling(options.billing)
    this.failures = new AccountFailures(options.failures)
    this.clock = clock
  }

  /** Follows a chain from now on: what is in a block is billed by the block. */
  follow(events: ChainEvents): void {
    events.on('blockAccepted', (block) => this.billing.blockAccepted(block, this.clock.now()))
  }

  /** Whether accounts are charged on this node at all. */
  get charges(): boolean {
    return this.billing.charges
  }

  /** The current charge of an account; microseconds. */
  billOf(account: bigint): number {
    return this.billing.billOf(account, this.clock.now())
  }
}
