import { ChainError, check, fail } from '../errors.ts'
import { parseUint64 } from '../abi/lenient_json.ts'
import { nameToString } from '../protocol/name.ts'

/** The requested index of a table: the primary one, or a secondary one by number. */
export interface TableIndex {
  primary: boolean
  /** Name under which the contract keeps the index: the table's with the number in its low bits. */
  index_table: bigint
}

/** Words for positions from the second index on, by their beginning or as a whole. */
const WORDS: readonly [test: (word: string) => boolean, number: bigint][] = [
  [(w) => w.startsWith('sec') || w === 'two', 0n],
  [(w) => w.startsWith('ter') || w.startsWith('th'), 1n],
  [(w) => w.startsWith('fou'), 2n],
  [(w) => w.startsWith('fi'), 3n],
  [(w) => w.startsWith('six'), 4n],
  [(w) => w.startsWith('sev'), 5n],
  [(w) => w.startsWith('eig'), 6n],
  [(w) => w.startsWith('nin'), 7n],
  [(w) => w.startsWith('ten'), 8n],
]

const PRIMARY_WORDS = ['', 'first', 'primary', 'one']

/**
 * Reads `index_position`: 1 is the primary index, 2 the first secondary one; words like
 * `secondary` or `third` count too. spring: chain_plugin.cpp get_table_index_name
 * @throws ChainError contract_table_query_exception
 */
export function tableIndex(table: bigint, position: string): TableIndex {
  check(
    (table & 0xfn) === 0n,
    'contract_table_query_exception',
    () => `Unsupported table name: ${nameToString(table)}`,
  )
  if (PRIMARY_WORDS.includes(position)) return { primary: true, index_table: table }
  const word = WORDS.find(([test]) => test(position))
  if (word) return { primary: false, index_table: table | word[1] }
  const number = positionNumber(position)
  if (number < 2n) return { primary: true, index_table: table }
  return { primary: false, index_table: table | ((number - 2n) & 0xfn) }
}

function positionNumber(position: string): bigint {
  try {
    return parseUint64(position)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return fail('contract_table_query_exception', `Invalid index_position: ${position}`)
  }
}
