import type { IntegerJson } from '../../abi/number_text.ts'
import { integerToJson } from '../../abi/number_text.ts'
import type { Chain } from '../../chain/chain.ts'
import type { Database } from '../../state/database.ts'
import { CONTRACT_TABLES, OBJECT_TABLES } from '../../state/tables.ts'
import type { StoredFiles } from '../stored_files.ts'
import { chainFiles, type ChainFolders } from './chain_files.ts'

/** Memory of the state, in bytes, rows by table, and files. */
export interface DatabaseSizeJson {
  /** Memory that the machine still has. */
  free_bytes: IntegerJson
  used_bytes: IntegerJson
  /** Part of what is used that becomes free when reversible blocks become final. */
  reclaimable_bytes: IntegerJson
  size: IntegerJson
  /** The fewest rows first; tables by the reference's names. */
  indices: { index: string; row_count: IntegerJson }[]
  /** On the disk; a field of ours. */
  files: (Omit<StoredFiles, 'bytes'> & { bytes: IntegerJson })[]
}

/** What the machine and the options of the node tell of it. */
export interface NodeSizes {
  /** Memory that the machine still has. */
  readonly free_bytes: number
  /** Undefined: the chain is in memory. */
  readonly folders: ChainFolders | undefined
}

/** Tells how much a chain takes, in memory and on the disk. */
export class DatabaseSize {
  private readonly chain: Chain
  private readonly historyFiles: () => readonly StoredFiles[]

  /** @param historyFiles the files of the services that write some */
  constructor(chain: Chain, historyFiles: () => readonly StoredFiles[]) {
    this.chain = chain
    this.historyFiles = historyFiles
  }

  /** The answer of `get`. */
  get({ free_bytes, folders }: NodeSizes): DatabaseSizeJson {
    const { chain } = this
    const files = [...(folders ? chainFiles(chain, folders) : []), ...this.historyFiles()]
    return { ...stateSize(chain.db, free_bytes), files: files.map(filesJson) }
  }
}

/**
 * The size of the state. It grows as needed, so its size is what it uses.
 * spring: plugins/db_size_api_plugin
 */
function stateSize(db: Database, free_bytes: number): Omit<DatabaseSizeJson, 'files'> {
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

function filesJson(files: StoredFiles): DatabaseSizeJson['files'][number] {
  return { ...files, bytes: integerToJson(BigInt(files.bytes)) }
}

/** The name of the reference's class for the rows of a table. spring: CHAINBASE_SET_INDEX_TYPE */
function indexName(table: string): string {
  const group = /^resource_(?:limits|usage)/.test(table) ? 'resource_limits::' : ''
  return `eosio::chain::${group}${table}_object`
}
