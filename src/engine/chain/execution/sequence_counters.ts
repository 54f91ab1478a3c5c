import type { Database } from '../../state/database.ts'
import type { Row } from '../../state/object_table.ts'
import type { AccountMetadata } from '../../state/rows.ts'
import { fail } from '../../errors.ts'
import { failUnknownAccount } from '../base/unknown_key.ts'

/** As many names are compared faster one by one. */
const FEW = 8

interface AccountCounters {
  readonly row: Row<AccountMetadata>
  recv: bigint
  auth: bigint
}

/**
 * The sequence numbers that a transaction uses (spring: apply_context::next_*_sequence). They are
 * counted here and written once at the end, because nothing reads them from the state before, and a
 * failed transaction uses none.
 */
export class SequenceCounters {
  private readonly db: Database
  private readonly read_only: boolean
  private readonly accounts: AccountCounters[] = []
  /** The same by name; made when they are more than a few. */
  private by_name: Map<bigint, AccountCounters> | undefined
  private global: bigint | undefined

  /** A read-only transaction takes no numbers: all that it has are 0. */
  constructor(db: Database, read_only: boolean) {
    this.db = db
    this.read_only = read_only
  }

  /** Takes the next global sequence number of an action. */
  nextGlobal(): bigint {
    if (this.read_only) return 0n
    this.global ??= this.db.dynamic_global_property.single().global_action_sequence
    return ++this.global
  }

  /** The account's row is at hand where an action is received. */
  nextRecv(row: Row<AccountMetadata>): bigint {
    if (this.read_only) return 0n
    return ++(this.known(row.name) ?? this.add(row)).recv
  }

  /**
   * The next authorization sequence number of an account. The reference stores it, which a
   * read-only transaction may not do.
   * @throws ChainError std_exception in a read-only transaction
   */
  nextAuth(account: bigint): bigint {
    const counters = this.of(account)
    if (this.read_only) fail('std_exception', 'attempting to modify a record in read-only mode')
    return ++counters.auth
  }

  private of(account: bigint): AccountCounters {
    const known = this.known(account)
    if (known) return known
    const row = this.db.account_metadata.find('by_name', account)
    return this.add(row ?? failUnknownAccount(account))
  }

  private known(account: bigint): AccountCounters | undefined {
    if (this.by_name) return this.by_name.get(account)
    for (const counters of this.accounts) if (counters.row.name === account) return counters
    return undefined
  }

  private add(row: Row<AccountMetadata>): AccountCounters {
    const { accounts } = this
    const counters = { row, recv: row.recv_sequence, auth: row.auth_sequence }
    accounts.push(counters)
    if (this.by_name) this.by_name.set(row.name, counters)
    else if (accounts.length > FEW) this.by_name = new Map(accounts.map((c) => [c.row.name, c]))
    return counters
  }

  /** Writes the numbers taken to the state. */
  write(): void {
    const { db, global } = this
    if (global !== undefined)
      db.dynamic_global_property.modifyHot(db.dynamic_global_property.single(), (row) => {
        row.global_action_sequence = global
      })
    for (const { row, recv, auth } of this.accounts)
      db.account_metadata.modifyHot(row, (r) => {
        r.recv_sequence = recv
        r.auth_sequence = auth
      })
  }
}
