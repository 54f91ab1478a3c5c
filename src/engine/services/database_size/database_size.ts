import type { IntegerJson } from '../../abi/number_text.ts'
import { integerToJson } from '../../abi/number_text.ts'
import type { Database } from '../../state/database.ts'
import { CONTRACT_TABLES, OBJECT_TABLES } from '../../state/tables.ts'

/** Memory of the state, in bytes, and rows by table. */
export interface DatabaseSizeJson {
  /** Memory that the machine still has. */
  free_bytes: IntegerJson
  used_bytes: IntegerJson
  /** Part of what is used that becomes free when reversible blocks become final. */
  reclaimable_bytes: IntegerJson
  size: IntegerJson
  /** The fewest rows first; tables by the reference's names. */
  indices: { index: string; row_count: IntegerJson }[]
}

/**
 * The size of the state. It grows as needed, so its size is what it uses.
 * spring: plugins/db_size_api_plugin
 */
export function getDatabaseSize(db: Database, free_bytes: number): DatabaseSizeJson {
  const { blocks, undo_log, rows, indices } = db.memory
  const used = integerToJson(BigInt(blocks + undo_log + rows + indices))
  const names = [...Object.keys(OBJECT_TABLES), ...Object.keys(CONTRACT_TABLES)]
  const counts = names
    .map((name) => ({
      index: indexName(name),
      size: db[name as keyof typeof OBJECT_TABLES].size,
    }))
    .sort((a, b) => a.size - b.size || (a.index < b.index ? -1 : 1))
  return {
    free_bytes: integerToJson(BigInt(free_bytes)),
    used_bytes: used,
    reclaimable_bytes: integerToJson(BigInt(undo_log)),
    size: used,
    indices: counts.map(({ index, size }) => ({ index, row_count: integerToJson(BigInt(size)) })),
  }
}

/** The name of the reference's class for the rows of a table. spring: CHAINBASE_SET_INDEX_TYPE */
function indexName(table: string): string {
  const group = /^resource_(?:limits|usage)/.test(table) ? 'resource_limits::' : ''
  return `eosio::chain::${group}${table}_object`
}
