import type { Database } from '../../state/database.ts'
import type { Row } from '../../state/object_table.ts'
import type { AccountMetadata } from '../../state/rows.ts'
import { fail } from '../../errors.ts'
import { failUnknownAccount } from '../base/unknown_key.ts'

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
  private readonly accounts = new Map<bigint, AccountCounters>()
  private global: bigint | undefined

  /** A read-only transaction takes no numbers: all that it has are 0. */
  constructor(db: Database, read_only: boolean) {
    this.db = db
    this.read_only = read_only
  }

  nextGlobal(): bigint {
    if (this.read_only) return 0n
    this.global ??= this.db.dynamic_global_property.single().global_action_sequence
    return ++this.global
  }

  /** The account's row is at hand where an action is received. */
  nextRecv(row: Row<AccountMetadata>): bigint {
    if (this.read_only) return 0n
    return ++(this.accounts.get(row.name) ?? this.add(row)).recv
  }

  /** The reference asks its database for the number, which a read-only transaction may not change. */
  nextAuth(account: bigint): bigint {
    const counters = this.of(account)
    if (this.read_only) fail('std_exception', 'attempting to modify a record in read-only mode')
    return ++counters.auth
  }

  private of(account: bigint): AccountCounters {
    const known = this.accounts.get(account)
    if (known) return known
    const row = this.db.account_metadata.find('by_name', account)
    return this.add(row ?? failUnknownAccount(account))
  }

  private add(row: Row<AccountMetadata>): AccountCounters {
    const counters = { row, recv: row.recv_sequence, auth: row.auth_sequence }
    this.accounts.set(row.name, counters)
    return counters
  }

  /** Writes the numbers taken to the state. */
  write(): void {
    const { db, global } = this
    if (global !== undefined)
      db.dynamic_global_property.modify(db.dynamic_global_property.single(), (row) => {
        row.global_action_sequence = global
      })
    for (const { row, recv, auth } of this.accounts.values())
      db.account_metadata.modify(row, (r) => {
        r.recv_sequence = recv
        r.auth_sequence = auth
      })
  }
}
