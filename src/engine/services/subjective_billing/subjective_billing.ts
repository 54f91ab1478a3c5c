/**
 * CPU time that this node charges to accounts for work that no block bills: failed transactions,
 * and executed transactions that are in no block yet. The charges reduce what an account may use on
 * this node; they decay over time.
 * spring: libraries/chain/include/eosio/chain/subjective_billing.hpp
 */
import { transactionKey } from '../../chain/base/transaction_metadata.ts'
import { toHex } from '../../protocol/hex.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'

/** The settings of subjective billing. */
export interface SubjectiveBillingOptions {
  /** Transactions that clients submit are charged. */
  bill_api: boolean
  /** Transactions of peers are charged, and those that come back from a block. */
  bill_p2p: boolean
  /** Accounts that are never charged. */
  disabled_accounts: ReadonlySet<bigint>
  /** Minutes until a failure is forgiven. */
  decay_time_minutes: number
}

/** A transaction that may still enter a block. */
interface PendingBill {
  account: bigint
  bill_us: number
  /** Seconds since 1970. */
  expiration: number
}

interface AccountBill {
  /** Of transactions that may still enter a block. */
  pending_us: number
  /** Of failed and expired ones, as of `ordinal`; microseconds, with fractions. */
  value: number
  ordinal: number
}

/** Time passes in steps. spring: subjective_time_interval_ms */
const INTERVAL_US = 5_000_000
/**
 * Maximum number of accounts that are tracked, because anyone can name accounts in failing
 * transactions.
 */
const MAX_ACCOUNTS = 100_000
/** The precision of values. spring: config::rate_limiting_precision */
const PRECISION = 1_000_000

/**
 * The CPU time that this node charges to accounts for transactions that no block bills. Charges
 * reduce what an account may use on this node and decay over time; they never affect blocks.
 */
export class SubjectiveBilling {
  private readonly options: SubjectiveBillingOptions
  /** Intervals until a failure is forgiven. */
  private readonly window: number
  private readonly accounts = new Map<bigint, AccountBill>()
  private readonly pending = new Map<string, PendingBill>()
  private cleaned = 0

  constructor(options: SubjectiveBillingOptions) {
    this.options = options
    this.window = Math.floor((options.decay_time_minutes * 60_000_000) / INTERVAL_US)
  }

  /** Whether any transactions are charged. */
  get charges(): boolean {
    return this.options.bill_api || this.options.bill_p2p
  }

  /** Accounts that are charged something now, or were a while ago. */
  get size(): number {
    return this.accounts.size
  }

  /**
   * Whether transactions of this account are charged.
   * @param from_client true for submissions to this node, false for transactions of discarded
   *   blocks
   */
  isBilled(account: bigint, from_client: boolean): boolean {
    const { bill_api, bill_p2p, disabled_accounts } = this.options
    return (from_client ? bill_api : bill_p2p) && !disabled_accounts.has(account)
  }

  /** Charges for a transaction that succeeded, until it is in a block; once. */
  bill(id: Uint8Array, expiration: number, account: bigint, elapsed_us: number): void {
    const key = toHex(id)
    if (this.pending.has(key)) return
    const bill_us = Math.max(0, elapsed_us)
    this.pending.set(key, { account, bill_us, expiration })
    this.of(account).pending_us += bill_us
  }

  /** Charges for a transaction that failed. */
  billFailure(account: bigint, elapsed_us: number, now_us: number): void {
    this.add(this.of(account), Math.max(0, elapsed_us), ordinalOf(now_us))
  }

  /** The current charge of an account; microseconds. */
  billOf(account: bigint, now_us: number): number {
    const bill = this.accounts.get(account)
    if (!bill || this.options.disabled_accounts.has(account)) return 0
    return bill.pending_us + Math.ceil(this.valueAt(bill, ordinalOf(now_us)))
  }

  /** Transactions in a block are billed by the block. */
  blockAccepted(block: BlockState, now_us: number): void {
    if (this.pending.size === 0) return
    for (const meta of block.trx_metas ?? []) {
      const key = transactionKey(meta)
      const bill = this.pending.get(key)
      if (!bill) continue
      this.pending.delete(key)
      const account = this.of(bill.account)
      account.pending_us -= bill.bill_us
      this.drop(bill.account, ordinalOf(now_us))
    }
  }

  /**
   * Transactions that expired without a block count as failed. Accounts without charges are
   * removed.
   */
  removeExpired(block_time_us: number, now_us: number): void {
    const ordinal = ordinalOf(now_us)
    for (const [key, { account, bill_us, expiration }] of this.pending) {
      if (expiration * 1_000_000 > block_time_us) continue
      this.pending.delete(key)
      const bill = this.of(account)
      bill.pending_us -= bill_us
      this.add(bill, bill_us, ordinal)
    }
    if (this.cleaned === ordinal) return
    this.cleaned = ordinal
    for (const account of this.accounts.keys()) this.drop(account, ordinal)
  }

  private of(account: bigint): AccountBill {
    let bill = this.accounts.get(account)
    if (!bill) {
      if (this.accounts.size >= MAX_ACCOUNTS) this.forgetOldest()
      bill = { pending_us: 0, value: 0, ordinal: 0 }
      this.accounts.set(account, bill)
    }
    return bill
  }

  private forgetOldest(): void {
    for (const [account, { pending_us }] of this.accounts) {
      if (pending_us > 0) continue
      this.accounts.delete(account)
      return
    }
  }

  private drop(account: bigint, ordinal: number): void {
    const bill = this.of(account)
    if (bill.pending_us === 0 && this.valueAt(bill, ordinal) === 0) this.accounts.delete(account)
  }

  private add(bill: AccountBill, units_us: number, ordinal: number): void {
    if (bill.ordinal < ordinal) {
      bill.value = this.valueAt(bill, ordinal)
      bill.ordinal = ordinal
    }
    bill.value += units_us
  }

  private valueAt(bill: AccountBill, ordinal: number): number {
    if (bill.ordinal >= ordinal) return bill.value
    const passed = ordinal - bill.ordinal
    if (passed >= this.window) return 0
    const left = (bill.value * (this.window - passed)) / this.window
    return Math.floor(left * PRECISION) / PRECISION
  }
}

function ordinalOf(time_us: number): number {
  return Math.floor(time_us / INTERVAL_US)
}
