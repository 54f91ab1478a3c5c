import { check, fail } from '../errors.ts'

/**
 * `next_page` of get_table_rows: the exact position in an index at which the next page starts. It
 * is hexadecimal text: the kind of the index and the direction (one byte), the contract, the scope
 * and the index's table (eight bytes each), the row's key as it is stored, and its primary key.
 */
export interface IndexWalk {
  /** 0 is the primary index; secondary ones have the number of their kind. */
  kind: number
  code: bigint
  scope: bigint
  /** Name under which the contract keeps the index. */
  index_table: bigint
  reverse: boolean
}

/** A place in an index: digits of the secondary key ('' in the primary index), and the primary key. */
export interface PagePlace {
  key: string
  primary: bigint
}

const PRIMARY_DIGITS = 16

const hex64 = (value: bigint): string => value.toString(16).padStart(16, '0')

/** The common start of all positions in one iteration over an index. */
function header({ kind, code, scope, index_table, reverse }: IndexWalk): string {
  const first = (kind << 1) | (reverse ? 1 : 0)
  return first.toString(16).padStart(2, '0') + hex64(code) + hex64(scope) + hex64(index_table)
}

/** The text of a place, which {@link placeFromText} takes for the same walk alone. */
export function placeToText(walk: IndexWalk, { key, primary }: PagePlace): string {
  return header(walk) + key + hex64(primary)
}

/**
 * Refuses a `next_page` that no answer contains.
 * @throws ChainError invalid_http_request
 */
export function refusePage(): never {
  return fail('invalid_http_request', 'next_page is not a value that get_table_rows answers')
}

/**
 * The place that a request's `next_page` names. `key_digits`: how many digits a key of the index has.
 * @throws ChainError invalid_http_request for a text that no answer has, and for a place of another
 *   table, index or direction
 */
export function placeFromText(walk: IndexWalk, text: string, key_digits: number): PagePlace {
  const expected = header(walk)
  if (!/^[0-9a-f]+$/.test(text) || text.length <= expected.length) refusePage()
  check(
    text.startsWith(expected) && text.length === expected.length + key_digits + PRIMARY_DIGITS,
    'invalid_http_request',
    'next_page belongs to another contract, scope, table, index or direction',
  )
  const at = expected.length + key_digits
  return { key: text.slice(expected.length, at), primary: BigInt(`0x${text.slice(at)}`) }
}
