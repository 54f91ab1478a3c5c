/**
 * Accounts whose transactions fail again and again are not served until a window of blocks is over.
 * spring: plugins/producer_plugin/producer_plugin.cpp (account_failures)
 */
import type { ChainError } from '../../errors.ts'
import { BLOCK_INTERVAL_US } from '../../protocol/constants.ts'
import { nameToString } from '../../protocol/name.ts'

/** The limits of failed transactions of an account. */
export interface AccountFailureOptions {
  /** Failures of one account in one window, after which the others are refused. */
  max_failures: number
  /** Blocks. */
  window_blocks: number
}

/**
 * Maximum number of accounts that are counted in one window, because anyone can name accounts in
 * failing transactions.
 */
const MAX_ACCOUNTS = 100_000

type Reason = 'deadline' | 'tx_cpu_usage' | 'assert' | 'other'

interface Failures {
  count: number
  reasons: Set<Reason>
}

/**
 * Counts failed transactions of accounts. An account with too many failures in a window of blocks
 * is refused until the window ends.
 */
export class AccountFailures {
  private readonly options: AccountFailureOptions
  private readonly accounts = new Map<bigint, Failures>()
  private last_reset_block_num = 0

  constructor(options: AccountFailureOptions) {
    this.options = options
  }

  /** Counts a failed transaction of an account. Of too many accounts, later ones are not counted. */
  add(account: bigint, error: ChainError): void {
    let failures = this.accounts.get(account)
    if (!failures) {
      if (this.accounts.size >= MAX_ACCOUNTS) return
      failures = { count: 0, reasons: new Set() }
      this.accounts.set(account, failures)
    }
    failures.count += 1
    failures.reasons.add(reasonOf(error))
  }

  /** Whether the account failed too often in this window; that counts as a failure too. */
  limitReached(account: bigint): boolean {
    const failures = this.accounts.get(account)
    if (!failures || failures.count < this.options.max_failures) return false
    failures.count += 1
    return true
  }

  /**
   * Called when a block with this number starts. At the end of a window, the failures are logged
   * and reset.
   */
  blockStarted(block_num: number, report: (text: string) => void): void {
    if (this.last_reset_block_num === block_num) return
    if (block_num % this.options.window_blocks !== 0) return
    for (const [account, { count, reasons }] of this.accounts) {
      report(
        `${count} failed transactions of ${nameToString(account)}, reasons: ${[...reasons].join(', ')}`,
      )
    }
    this.accounts.clear()
    this.last_reset_block_num = block_num
  }

  /** The end of the window of the head; microseconds. */
  nextReset(head_block_num: number, head_time_us: number): number {
    const { window_blocks } = this.options
    return head_time_us + (window_blocks - (head_block_num % window_blocks)) * BLOCK_INTERVAL_US
  }
}

function reasonOf({ errorName }: ChainError): Reason {
  switch (errorName) {
    case 'tx_cpu_usage_exceeded':
      return 'tx_cpu_usage'
    case 'deadline_exception':
      return 'deadline'
    case 'eosio_assert_message_exception':
    case 'eosio_assert_code_exception':
      return 'assert'
    default:
      return 'other'
  }
}
