import assert from 'node:assert/strict'
import { KeyValueTable } from './key_value_table.ts'
import { ObjectTable } from './object_table.ts'
import { SecondaryTable } from './secondary_table.ts'
import type { Session } from './session.ts'
import type { KeysOf, ObjectTableName, RowOf } from './tables.ts'

/** The object tables by name, as properties. */
export type ObjectTables = {
  readonly [N in ObjectTableName]: ObjectTable<RowOf<N>, KeysOf<N>>
}

/** The contract tables by name, as properties. */
export interface ContractTables {
  readonly key_value: KeyValueTable
  readonly index64: SecondaryTable<bigint>
  readonly index128: SecondaryTable<bigint>
  readonly index256: SecondaryTable<readonly [bigint, bigint]>
  readonly index_double: SecondaryTable<bigint>
  readonly index_long_double: SecondaryTable<bigint>
}

/** The state of a chain in memory: every table, undo sessions, and what changed. */
export interface Database extends ObjectTables, ContractTables {
  /** Grows by one at each session start, shrinks at squash and undo. Block sessions: block number. */
  readonly revision: number
  /** Sets the revision; only while no session is open. */
  setRevision(revision: number): void
  /** Opens a level of undo inside the current one. */
  startSession(): Session
  /** Takes the last pushed session back. */
  undo(): void
  /** Takes every session back. */
  undoAll(): void
  /** Makes final what was done up to `revision`: those sessions cannot be undone any more. */
  commit(revision: number): void
  /** Number of open sessions. */
  readonly depth: number
}

/** An empty database. */
export function createDatabase(): Database {
  return assert.fail('the state is not built yet')
}
