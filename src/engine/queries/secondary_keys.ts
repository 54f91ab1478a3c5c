import { hashFromJson } from '../abi/hex_bytes.ts'
import { doubleToText } from '../abi/number_text.ts'
import { parseUint64 } from '../abi/variant.ts'
import { fail } from '../errors.ts'
import { fromHex, toHex } from '../protocol/hex.ts'
import type { Database } from '../state/database.ts'
import type { SecondaryTable } from '../state/secondary_table.ts'
import { doubleFromBits, doubleFromQuadBits, doubleToBits, doubleToQuadBits } from './float_bits.ts'
import {
  doubleFromText,
  nameKeyFromText,
  nameKeyToText,
  uint64FromText,
  wideIntegerFromText,
} from './key_text.ts'

type Key256 = readonly [bigint, bigint]

/** How a key type of get_table_rows reads bounds, and prints keys so that they read back. */
export interface SecondaryKeys<K extends bigint | Key256> {
  table: (db: Database) => SecondaryTable<K>
  parse: (text: string, what: string) => K
  print: (key: K) => string
  /** The order of the index. */
  compare: (a: K, b: K) => number
}

/** An end of a range: a key, and the primary key where the range ends among rows of one key. */
export interface SecondaryBound<K> {
  key: K
  primary: bigint | undefined
}

/** Reads a bound: a key, or a key and a primary key as `key:primary`. */
export function secondaryBound<K extends bigint | Key256>(
  keys: SecondaryKeys<K>,
  text: string,
  what: string,
): SecondaryBound<K> {
  const [, key, primary] = /^(.*):([0-9]{1,20})$/s.exec(text) ?? []
  if (key === undefined || primary === undefined) {
    return { key: keys.parse(text, what), primary: undefined }
  }
  return { key: keys.parse(key, what), primary: parseUint64(primary) }
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

const compareIntegers = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

const compareNumbers = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

const index64 = (
  parse: (text: string, what: string) => bigint,
  print: (key: bigint) => string,
): SecondaryKeys<bigint> => ({
  table: (db) => db.index64,
  parse,
  print,
  compare: compareIntegers,
})

const I128: SecondaryKeys<bigint> = {
  table: (db) => db.index128,
  parse: (text, what) => wideIntegerFromText(text, 128, what),
  print: String,
  compare: compareIntegers,
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
  table: (db) => db.index256,
  parse,
  print: (key) => print(key256ToHex(key)),
  compare: (a, b) => compareIntegers(a[0], b[0]) || compareIntegers(a[1], b[1]),
})

const SHA256 = index256(
  (text) => key256FromBytes(hashFromJson(text, 32)),
  (hex) => hex,
)

const RIPEMD160 = index256(
  (text) => key256FromBytes(hashFromJson(text, 20)),
  (hex) => hex.slice(0, 40),
)

const I256 = index256(
  (text, what) => {
    const value = wideIntegerFromText(text, 256, what)
    return [value >> 128n, value & MASK_128]
  },
  (hex) => `0x${hex}`,
)

/** Fixed notation as everywhere, or scientific where fixed notation would lose digits. */
function printDouble(value: number): string {
  const fixed = doubleToText(value)
  return Number(fixed) === value || !Number.isFinite(value) ? fixed : String(value)
}

const FLOAT64: SecondaryKeys<bigint> = {
  table: (db) => db.index_double,
  parse: (text, what) => doubleToBits(doubleFromText(text, what)),
  print: (bits) => printDouble(doubleFromBits(bits)),
  compare: (a, b) => compareNumbers(doubleFromBits(a), doubleFromBits(b)),
}

/** Order of quadruples by their bits: -0 equals +0. */
function compareQuads(a: bigint, b: bigint): number {
  const ordinal = (bits: bigint): bigint => {
    const magnitude = bits & (MASK_128 >> 1n)
    return bits >> 127n ? -magnitude : magnitude
  }
  return compareIntegers(ordinal(a), ordinal(b))
}

const hex128 = (bits: bigint): string => `0x${bits.toString(16).padStart(32, '0')}`

const FLOAT128_HEX: SecondaryKeys<bigint> = {
  table: (db) => db.index_long_double,
  parse: (text, what) => wideIntegerFromText(text, 128, what),
  print: hex128,
  compare: compareQuads,
}

/** The bits as ABIs print them: bytes in the order of memory, lowest first. */
function bitsFromMemory(hex: string): bigint {
  return BigInt(`0x${toHex(fromHex(hex).reverse())}`)
}

const bitsToMemory = (bits: bigint): string => toHex(fromHex(hex128(bits).slice(2)).reverse())

/** Decimal text where a double can hold the key, as ABIs print it where it cannot. */
const FLOAT128: SecondaryKeys<bigint> = {
  ...FLOAT128_HEX,
  parse: (text, what) =>
    /^0x[0-9a-f]{32}$/i.test(text)
      ? bitsFromMemory(text.slice(2))
      : doubleToQuadBits(doubleFromText(text, what)),
  print: (bits) => {
    const value = doubleFromQuadBits(bits)
    return value === undefined ? `0x${bitsToMemory(bits)}` : printDouble(value)
  },
}

/**
 * The keys that `key_type` and `encode_type` ask for; contract_table_query_exception for others.
 * spring: chain_plugin.cpp read_only::get_table_rows
 */
export function secondaryKeys(
  key_type: string,
  encode_type: string,
): SecondaryKeys<bigint> | SecondaryKeys<Key256> {
  const hex = encode_type === 'hex'
  switch (key_type) {
    case 'i64':
      return index64(uint64FromText, String)
    case 'name':
      return index64(nameKeyFromText, nameKeyToText)
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
