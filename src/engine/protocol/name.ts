/**
 * Names: up to 12 characters of `.12345a-z` and a 13th of `.12345a-j`, packed into 64 bits.
 * spring: libraries/chain/{name.cpp, include/eosio/chain/name.hpp}
 */
import { fail } from '../errors.ts'

// Eight bytes seen as every kind of number: the cheapest way between bytes and wide numbers. They
// are this module's own because V8 treats only local constants as constants.
const scratch = new ArrayBuffer(8)
const scratchU32 = new Uint32Array(scratch)
const scratchU64 = new BigUint64Array(scratch)

const CHARACTERS = '.12345abcdefghijklmnopqrstuvwxyz'

// Texts of names recur: accounts, actions, tables. Bounded, because callers choose the names.
const CACHE_LIMIT = 1 << 16
const textOfName = new Map<bigint, string>()
const nameOfText = new Map<string, bigint>()

function symbolOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 91
  if (code >= 49 && code <= 53) return code - 48
  return 0
}

/** Packs without validation: characters outside the alphabet count as dots. */
function pack(text: string): bigint {
  let high = 0
  let low = 0
  const length = text.length < 13 ? text.length : 13
  for (let i = 0; i < length; i++) {
    const symbol = symbolOf(text.charCodeAt(i))
    if (i < 6) high |= symbol << (27 - 5 * i)
    else if (i === 6) {
      high |= symbol >>> 3
      low |= symbol << 29
    } else if (i < 12) low |= symbol << (59 - 5 * i)
    else low |= symbol & 0x0f
  }
  scratchU32[0] = low
  scratchU32[1] = high
  return scratchU64[0] as bigint
}

function unpack(name: bigint): string {
  scratchU64[0] = name
  const low = scratchU32[0] as number
  const high = scratchU32[1] as number
  let text = ''
  for (let i = 0; i < 6; i++) text += CHARACTERS[(high >>> (27 - 5 * i)) & 31] as string
  text += CHARACTERS[((high & 3) << 3) | (low >>> 29)] as string
  for (let i = 7; i < 12; i++) text += CHARACTERS[(low >>> (59 - 5 * i)) & 31] as string
  text += CHARACTERS[low & 15] as string
  let end = 13
  while (end > 0 && text.charCodeAt(end - 1) === 46) end--
  return text.slice(0, end)
}

/** The text of a name, without trailing dots; the empty name is ''. */
export function nameToString(name: bigint): string {
  const known = textOfName.get(name)
  if (known !== undefined) return known
  const text = unpack(name)
  if (textOfName.size >= CACHE_LIMIT) textOfName.clear()
  textOfName.set(name, text)
  return text
}

/**
 * The name of a text, which must not be too long and must be what printing the name gives.
 * @throws ChainError name_type_exception
 */
export function nameFromString(text: string): bigint {
  const known = nameOfText.get(text)
  if (known !== undefined) return known
  // The reference counts bytes.
  if (text.length > 13 || Buffer.byteLength(text) > 13) {
    fail('name_type_exception', `Name is longer than 13 characters (${text}) `)
  }
  const name = pack(text)
  const normalized = unpack(name)
  if (normalized !== text) {
    fail(
      'name_type_exception',
      `Name not properly normalized (name: ${text}, normalized: ${normalized}) `,
    )
  }
  if (nameOfText.size >= CACHE_LIMIT) nameOfText.clear()
  nameOfText.set(text, name)
  return name
}

/** Converts a text to a name without validation: other characters count as dots. */
export function looseName(text: string): bigint {
  return pack(text)
}

/** A name constant: `N('eosio')`. */
export function N(text: string): bigint {
  return nameFromString(text)
}
