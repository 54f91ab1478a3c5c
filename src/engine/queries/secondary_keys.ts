import { doubleToText } from '../abi/number_text.ts'
import { fail } from '../errors.ts'
import { fromHex, toHex } from '../protocol/hex.ts'
import type { Database } from '../state/database.ts'
import type { SecondaryTable } from '../state/secondary_table.ts'
import { float64FromQuad, isNan128 } from '../vm/float128.ts'
import { doubleFromBits, doubleToBits, doubleToQuadBits } from './float_bits.ts'
import {
  doubleFromText,
  hashFromText,
  nameKeyFromText,
  uint64FromText,
  wideIntegerFromText,
} from './key_text.ts'
import type { IndexWalk } from './next_page.ts'
import { placeFromText, refusePage } from './next_page.ts'

type Key256 = readonly [bigint, bigint]

/** The conversion of bounds and keys for a key type of get_table_rows. */
export interface SecondaryKeys<K extends bigint | Key256> {
  /** The number of the index's kind in `next_page`. */
  kind: number
  table: (db: Database) => SecondaryTable<K>
  parse: (text: string, what: string) => K
  /** As `next_key` has it, which not every key can be read back from. */
  print: (key: K) => string
  /** The order of the index. */
  compare: (a: K, b: K) => number
  /** The hexadecimal digits of a key. */
  digits: number
  toHex: (key: K) => string
  /** undefined for what is not a key: NaN. */
  fromHex: (digits: string) => K | undefined
}

/** An end of a range: a key, and the primary key where the range ends among rows of one key. */
export interface SecondaryBound<K> {
  key: K
  primary?: bigint
}

/**
 * The bound that a request's `next_page` names.
 * @throws ChainError invalid_http_request for what no answer has
 */
export function boundFromPage<K extends bigint | Key256>(
  walk: IndexWalk,
  text: string,
  keys: SecondaryKeys<K>,
): SecondaryBound<K> {
  const { key, primary } = placeFromText(walk, text, keys.digits)
  return { key: keys.fromHex(key) ?? refusePage(), primary }
}

/** Whether no row can be between these bounds. */
export function excludeEachOther<K extends bigint | Key256>(
  keys: SecondaryKeys<K>,
  lower: SecondaryBound<K>,
  upper: SecondaryBound<K>,
): boolean {
  const order = keys.compare(upper.key, lower.key)
  if (order !== 0) return order < 0
  return (upper.primary ?? MAX_PRIMARY) < (lower.primary ?? 0n)
}

const MAX_PRIMARY = 2n ** 64n - 1n

/** The digits of a key that is one number of `bits` bits. */
const numberDigits = (bits: number) => ({
  digits: bits / 4,
  toHex: (key: bigint) => key.toString(16).padStart(bits / 4, '0'),
  fromHex: (digits: string): bigint | undefined => BigInt(`0x${digits}`),
})

const compareIntegers = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

const compareNumbers = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

const index64 = (parse: (text: string, what: string) => bigint): SecondaryKeys<bigint> => ({
  kind: 1,
  table: (db) => db.index64,
  parse,
  print: String,
  compare: compareIntegers,
  ...numberDigits(64),
})

const I128: SecondaryKeys<bigint> = {
  kind: 2,
  table: (db) => db.index128,
  parse: (text, what) => wideIntegerFromText(text, 128, what),
  print: String,
  compare: compareIntegers,
  ...numberDigits(128),
}

const MASK_128 = (1n << 128n) - 1n

/** Big endian bytes, as the two words of a key; missing bytes at the end are zero. */
function key256FromBytes(bytes: Uint8Array): Key256 {
  const digits = toHex(bytes).padEnd(64, '0')
  return [BigInt(`0x${digits.slice(0, 32)}`), BigInt(`0x${digits.slice(32)}`)]
}

const key256ToHex = ([high, low]: Key256): string =>
  high.toString(16).padStart(32, '0') + low.toString(16).padStart(32, '0')

const index256 = (
  parse: (text: string, what: string) => Key256,
  print: (hex: string) => string,
): SecondaryKeys<Key256> => ({
  kind: 3,
  table: (db) => db.index256,
  parse,
  print: (key) => print(key256ToHex(key)),
  compare: (a, b) => compareIntegers(a[0], b[0]) || compareIntegers(a[1], b[1]),
  digits: 64,
  toHex: key256ToHex,
  fromHex: (digits) => key256FromBytes(fromHex(digits)),
})

const SHA256 = index256(
  (text, what) => key256FromBytes(hashFromText(text, 32, what)),
  (hex) => hex,
)

const RIPEMD160 = index256(
  (text, what) => key256FromBytes(hashFromText(text, 20, what)),
  (hex) => hex.slice(0, 40),
)

const I256 = index256(
  (text, what) => {
    const value = wideIntegerFromText(text, 256, what)
    return [value >> 128n, value & MASK_128]
  },
  (hex) => `0x${hex}`,
)

const FLOAT64: SecondaryKeys<bigint> = {
  kind: 4,
  table: (db) => db.index_double,
  parse: (text, what) => doubleToBits(doubleFromText(text, what)),
  print: (bits) => doubleToText(doubleFromBits(bits)),
  compare: (a, b) => compareNumbers(doubleFromBits(a), doubleFromBits(b)),
  ...numberDigits(64),
  fromHex: (digits) => {
    const bits = BigInt(`0x${digits}`)
    return Number.isNaN(doubleFromBits(bits)) ? undefined : bits
  },
}

/** Order of quadruples by their bits: -0 equals +0. */
function compareQuads(a: bigint, b: bigint): number {
  const ordinal = (bits: bigint): bigint => {
    const magnitude = bits & (MASK_128 >> 1n)
    return bits >> 127n ? -magnitude : magnitude
  }
  return compareIntegers(ordinal(a), ordinal(b))
}

/** The bits as ABIs print them: bytes in the order of memory, lowest first. */
function bitsFromMemory(hex: string): bigint {
  return BigInt(`0x${toHex(fromHex(hex).reverse())}`)
}

/** A decimal text, or what rows show: `0x` and the bytes in hexadecimal. */
const FLOAT128: SecondaryKeys<bigint> = {
  kind: 5,
  table: (db) => db.index_long_double,
  parse: (text, what) =>
    /^0x[0-9a-f]{32}$/i.test(text)
      ? bitsFromMemory(text.slice(2))
      : doubleToQuadBits(doubleFromText(text, what)),
  // spring: chain_plugin.cpp convert_to_string<float128_t> prints the nearest double, also as `hex`.
  print: (bits) => doubleToText(doubleFromBits(float64FromQuad(bits))),
  compare: compareQuads,
  ...numberDigits(128),
  fromHex: (digits) => {
    const bits = BigInt(`0x${digits}`)
    return isNan128(bits) ? undefined : bits
  },
}

const FLOAT128_HEX: SecondaryKeys<bigint> = {
  ...FLOAT128,
  parse: (text, what) => wideIntegerFromText(text, 128, what),
}

/**
 * The keys that `key_type` and `encode_type` ask for. spring: chain_plugin.cpp
 * read_only::get_table_rows
 * @throws ChainError contract_table_query_exception for others
 */
export function secondaryKeys(
  key_type: string,
  encode_type: string,
): SecondaryKeys<bigint> | SecondaryKeys<Key256> {
  const hex = encode_type === 'hex'
  switch (key_type) {
    case 'i64':
      return index64(uint64FromText)
    case 'name':
      return index64(nameKeyFromText)
    case 'i128':
      return I128
    case 'i256':
      return hex ? SHA256 : I256
    case 'float64':
      return FLOAT64
    case 'float128':
      return hex ? FLOAT128_HEX : FLOAT128
    case 'sha256':
      return SHA256
    case 'ripemd160':
      return RIPEMD160
    default:
      return fail('contract_table_query_exception', `Unsupported secondary index type: ${key_type}`)
  }
}
