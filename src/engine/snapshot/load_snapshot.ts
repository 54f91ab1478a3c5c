/**
 * Fills an empty database from a snapshot of any version that the reference reads.
 * spring: libraries/chain/controller.cpp (read_from_snapshot)
 */
import { check } from '../errors.ts'
import type { Database } from '../state/database.ts'
import type { GlobalProperty } from '../state/rows.ts'
import type { SectionReader } from './section_reader.ts'
import { checkLoaded } from './check_loaded.ts'
import {
  BLOCK_STATE_SECTION,
  CURRENT_VERSION,
  FIRST_VERSION_WITH_SPLIT_TABLES,
  HEADER_SECTION,
  OLDEST_VERSION,
  WITHDRAWN_VERSION,
} from './format.ts'
import { loadContractSection, loadContractTables } from './load_contract_rows.ts'
import { loadGlobalProperty, readGlobalProperty } from './load_global_property.ts'
import { loadBlockSummaries, loadLimits, loadObjects, loadPermissions } from './load_objects.ts'
import { namingSnapshot } from './naming_snapshot.ts'
import type { SnapshotTableName } from './row_json.ts'
import { CONTRACT_SECTIONS, LAST_SECTIONS, OBJECT_SECTIONS } from './sections.ts'
import { SnapshotReader } from './snapshot_reader.ts'

/** The contents of a snapshot in addition to the rows of the database. */
export interface LoadedSnapshot {
  /** 2 to 8. */
  version: number
  /** The packed block state, in the form of that version. */
  block_state: Uint8Array
}

/** Far more than any state of a block has. */
const MAX_BLOCK_STATE = 64 * 1024 * 1024

/**
 * Reads a whole snapshot. The database must be empty, and cannot be used after a failure.
 * @throws ChainError `snapshot_exception`, `snapshot_validation_exception`
 */
export function loadSnapshot(snapshot: SnapshotReader, db: Database): LoadedSnapshot {
  const version = readVersion(snapshot)
  const block_state = readBlockState(snapshot)
  const is_split = version >= FIRST_VERSION_WITH_SPLIT_TABLES
  for (const [section, table] of [...OBJECT_SECTIONS, ...LAST_SECTIONS]) {
    if (table === 'table_id' && !is_split) continue
    if (table === 'global_property') loadGlobalProperty(snapshot, version, db)
    else readSection(snapshot, section, (rows) => loadTable(rows, table, db))
  }
  if (is_split) {
    for (const [section, table] of CONTRACT_SECTIONS) {
      readSection(snapshot, section, (rows) => loadContractSection(rows, table, db))
    }
  } else {
    loadContractTables(snapshot, db)
  }
  checkLoaded(db)
  // The check has decoded rows.
  db.trimCaches(0)
  return { version, block_state }
}

/**
 * The global properties of a snapshot, such as the chain id; the rest of the file is not read.
 * @throws ChainError `snapshot_exception`, `snapshot_validation_exception`
 */
export function globalPropertyOfSnapshot(path: string): GlobalProperty {
  return namingSnapshot(path, () => {
    const snapshot = new SnapshotReader(path)
    try {
      return readGlobalProperty(snapshot, readVersion(snapshot))
    } finally {
      snapshot.close()
    }
  })
}

/**
 * The chain id of a snapshot.
 * @throws ChainError `snapshot_exception`, `snapshot_validation_exception`
 */
export function chainIdOfSnapshot(path: string): Uint8Array {
  return globalPropertyOfSnapshot(path).chain_id
}

function loadTable(rows: SectionReader, table: SnapshotTableName, db: Database): void {
  if (table === 'permission') loadPermissions(rows, db)
  else if (table === 'resource_limits') loadLimits(rows, db)
  else if (table === 'block_summary') loadBlockSummaries(rows, db)
  else loadObjects(rows, table, db)
}

function readSection(
  snapshot: SnapshotReader,
  name: string,
  load: (rows: SectionReader) => void,
): void {
  const rows = snapshot.section(name)
  load(rows)
  rows.finish()
}

function readVersion(snapshot: SnapshotReader): number {
  const rows = snapshot.section(HEADER_SECTION)
  const version = rows.row((r) => r.u32())
  rows.finish()
  check(
    version >= OLDEST_VERSION && version <= CURRENT_VERSION,
    'snapshot_validation_exception',
    `Unsupported version of chain snapshot: ${version}. ` +
      `Supported version must be between ${OLDEST_VERSION} and ${CURRENT_VERSION} inclusive.`,
  )
  check(
    version !== WITHDRAWN_VERSION,
    'snapshot_exception',
    'v7 snapshots are not supported: their format was withdrawn',
  )
  return version
}

function readBlockState(snapshot: SnapshotReader): Uint8Array {
  const rows = snapshot.section(BLOCK_STATE_SECTION)
  const size = rows.bytes_left
  check(size <= MAX_BLOCK_STATE, 'snapshot_exception', `a block state has ${size} bytes`)
  const bytes = rows.row((r) => r.bytes(size))
  rows.finish()
  return bytes
}
