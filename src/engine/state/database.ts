/** The state of a chain in memory: every table, undo sessions, and what changed. */
import assert from 'node:assert/strict'
import { check } from '../errors.ts'
import type { ChangeSet, ChangeSource } from './changes.ts'
import { ChangeWriter } from './changes.ts'
import { Heap } from './heap.ts'
import type { IndexDefinition } from './index_key.ts'
import { UndoLog } from './undo_log.ts'
import { KeyValueTable } from './key_value_table.ts'
import { CACHED_ROWS, ObjectTable } from './object_table.ts'
import type { IndexKeys } from './object_table.ts'
import type { RowCodec } from './row_codecs.ts'
import { FLOAT128_KIND, FLOAT64_KIND, KEY256_KIND, U128_KIND, U64_KIND } from './secondary_kind.ts'
import { rowDelta } from './row_deltas.ts'
import type { DeltaSource, RowDelta } from './row_deltas.ts'
import { SecondaryTable } from './secondary_table.ts'
import { SharedMemory } from './shared_memory.ts'
import { Session } from './session.ts'
import { StateView } from './state_view.ts'
import { CONTRACT_TABLES, OBJECT_TABLES } from './tables.ts'
import type { ContractTableName, KeysOf, ObjectTableName, RowOf, TableName } from './tables.ts'

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

/** The whole state: tables by name, and {@link UndoDatabase}. */
export type Database = ObjectTables & ContractTables & UndoDatabase

type AnyObjectTable = ObjectTable<unknown, IndexKeys>

/** All tables of the state with their common undo log. */
export class UndoDatabase {
  private readonly heap: Heap
  private readonly undo_log: UndoLog
  private readonly object_tables: { number: number; table: AnyObjectTable }[] = []
  /** In the order of the tables' positions in the undo log. */
  private readonly sources: DeltaSource[] = []
  private readonly by_number = new Map<number, AnyObjectTable | KeyValueTable>()
  private readonly changes = new ChangeWriter()
  private base_revision = 0
  /** Tables that may have more decoded rows than are kept. */
  private readonly crowded = new Set<{ trim(limit: number): void }>()

  constructor(heap: Heap, undo_log: UndoLog) {
    this.heap = heap
    this.undo_log = undo_log
  }

  /** Registers a table, in the order of the undo log. */
  register(name: TableName, number: number, table: unknown): void {
    const source = { name, number, table: table as KeyValueTable }
    this.sources.push(source)
    this.by_number.set(number, source.table)
    if (table instanceof ObjectTable) {
      this.object_tables.push({ number, table: table as AnyObjectTable })
      table.crowded = this.crowded
    }
  }

  /** The memory of all tables, for threads that read it. */
  get shared(): SharedMemory {
    return this.heap.memory
  }

  /** Grows by one at each session start, shrinks at squash and undo. Block sessions: block number. */
  get revision(): number {
    return this.base_revision + this.undo_log.depth
  }

  /** Number of open sessions. */
  get depth(): number {
    return this.undo_log.depth
  }

  /** Bytes of memory: blocks of rows, the undo log, row numbers, indices. */
  get memory(): { blocks: number; undo_log: number; rows: number; indices: number } {
    const tables = this.sources.map(({ table }) => table as AnyObjectTable | KeyValueTable)
    return {
      blocks: this.heap.capacity,
      undo_log: this.undo_log.bytes,
      rows: tables.reduce((sum, { rows }) => sum + rows.bytes, 0),
      indices: tables.reduce((sum, { index_bytes }) => sum + index_bytes, 0),
    }
  }

  /** Sets the revision; only while no session is open. */
  setRevision(revision: number): void {
    assert.equal(this.depth, 0, 'no session is open')
    this.base_revision = revision
  }

  /** Opens a level of undo inside the current one. */
  startSession(): Session {
    return new Session(this.undo_log)
  }

  /** Undoes the last pushed session. */
  undo(): void {
    this.undo_log.undo()
  }

  /** Undoes all sessions. */
  undoAll(): void {
    while (this.depth > 0) this.undo()
  }

  /** Makes all changes up to `revision` final: those sessions can no longer be undone. */
  commit(revision: number): void {
    assert(revision <= this.revision, 'what is committed was done')
    const sessions = Math.max(0, revision - this.base_revision)
    this.undo_log.commit(sessions)
    this.base_revision += sessions
  }

  /** The changes of the innermost session so far. For a block: at its end, before `push`. */
  collectChanges(): ChangeSet {
    this.undo_log.eachChange((table, row) => {
      this.changes.add(this.sources[table] as ChangeSource, row)
    })
    return this.changes.finish(this.nextIds())
  }

  /**
   * The changes of the innermost session, each row once; of some tables alone, if they are given. Nothing may be
   * written during the iteration.
   */
  *deltas(tables?: ReadonlySet<TableName>): Generator<RowDelta> {
    const is_wanted = this.sources.map(({ name }) => tables?.has(name) ?? true)
    for (const { table, row, old_block } of this.undo_log.touchedRows(is_wanted)) {
      const delta = rowDelta(this.sources[table] as DeltaSource, row, old_block)
      if (delta !== undefined) yield delta
    }
  }

  /** The rows of a table in key order, as if they were created. Nothing may be written during the
   *  iteration. */
  *rowsOf(name: TableName): Generator<RowDelta> {
    const source = this.sources.find((other) => other.name === name)
    assert(source, `there is no table ${name}`)
    for (const row of (source.table as AnyObjectTable | KeyValueTable).numbers()) {
      const delta = rowDelta(source, row, undefined)
      if (delta !== undefined) yield delta
    }
  }

  /** Every row as a change in key order, to fill a store, some rows at a time. */
  *allRows(rows_per_set = 50_000): Generator<ChangeSet> {
    // All sets are about as long.
    const changes = new ChangeWriter(Infinity)
    let count = 0
    for (const source of this.sources) {
      for (const row of (source.table as AnyObjectTable | KeyValueTable).numbers()) {
        changes.add(source, row)
        if (++count % rows_per_set === 0) yield changes.finish(this.nextIds())
      }
    }
    yield changes.finish(this.nextIds())
  }

  /** `[table number, next id]` of every object table. */
  nextIds(): [number, number][] {
    return this.object_tables.map(({ number, table }) => [number, table.next_id])
  }

  /**
   * A view of the current state, which stays readable while the database changes. Only between
   * blocks: no session may be open.
   */
  view(): StateView {
    const blocks = <N extends string>(names: N[]): Map<N, Uint32Array> =>
      new Map(
        names.map((name) => [name, (this as unknown as Record<N, KeyValueTable>)[name].blocks()]),
      )
    const objects = blocks(Object.keys(OBJECT_TABLES) as ObjectTableName[])
    const contracts = blocks(Object.keys(CONTRACT_TABLES) as ContractTableName[])
    return new StateView(this.heap, objects, contracts)
  }

  /** Adds or replaces a stored row; only while no session is open. `key` and `value` are copied. */
  putRow(table: number, key: Uint8Array, value: Uint8Array): void {
    this.loading(table).putStored(key, value)
  }

  /** Removes a stored row, if it exists; only while no session is open. */
  removeRow(table: number, key: Uint8Array): void {
    this.loading(table).removeStored(key)
  }

  /** Sets the id of an object table's next row, after its rows. */
  loadNextId(table: number, next_id: number): void {
    const target = this.by_number.get(table)
    assert(target instanceof ObjectTable, `there is no object table ${table}`)
    target.loadNextId(next_id)
  }

  private loading(table: number): AnyObjectTable | KeyValueTable {
    assert.equal(this.depth, 0, 'rows are loaded before sessions begin')
    const target = this.by_number.get(table)
    check(target, 'database_exception', () => `the stored state has an unknown table ${table}`)
    return target
  }

  /** Drops decoded rows that are too many; rows that callers hold become dead. Between blocks. */
  trimCaches(limit = CACHED_ROWS): void {
    if (limit >= CACHED_ROWS && this.crowded.size === 0) return
    for (const { table } of this.object_tables) table.trim(limit)
    this.crowded.clear()
  }
}

/**
 * An empty database.
 * @param memory that of another thread's database, which this one shall read
 */
export function createDatabase(memory = new SharedMemory()): Database {
  const heap = new Heap(memory)
  const undo_log = new UndoLog(heap)
  const database = new UndoDatabase(heap, undo_log)
  const tables: Record<string, unknown> = {}
  for (const [name, { number, codec, indices }] of Object.entries(OBJECT_TABLES)) {
    const table = new ObjectTable<unknown, IndexKeys>(
      heap,
      undo_log,
      codec as RowCodec<unknown>,
      indices as Record<string, IndexDefinition<unknown>>,
    )
    database.register(name as ObjectTableName, number, table)
    tables[name] = table
  }
  const contract_tables = createContractTables(heap, undo_log)
  for (const [name, { number }] of Object.entries(CONTRACT_TABLES)) {
    const table = name as ContractTableName
    database.register(table, number, contract_tables[table])
  }
  return Object.assign(database, tables as ObjectTables, contract_tables)
}

function createContractTables(heap: Heap, undo_log: UndoLog): ContractTables {
  return {
    key_value: new KeyValueTable(heap, undo_log),
    index64: new SecondaryTable(heap, undo_log, U64_KIND),
    index128: new SecondaryTable(heap, undo_log, U128_KIND),
    index256: new SecondaryTable(heap, undo_log, KEY256_KIND),
    index_double: new SecondaryTable(heap, undo_log, FLOAT64_KIND),
    index_long_double: new SecondaryTable(heap, undo_log, FLOAT128_KIND),
  }
}
