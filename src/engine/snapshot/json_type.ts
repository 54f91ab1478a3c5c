/**
 * Converts packed values to the JSON of the reference, with types that compose. A type reads its
 * value from a cursor; `undefined` is an absent member of a struct, which is omitted.
 * spring: libraries/libfc/src/variant.cpp, io/json.cpp
 */
import type { Json, JsonObject } from '../abi/json.ts'
import { doubleToText, integerToJson } from '../abi/number_text.ts'
import { check } from '../errors.ts'
import { blsPublicKeyToString } from '../protocol/bls_text.ts'
import { toBase64, toHex } from '../protocol/hex.ts'
import {
  publicKeyToString,
  readPublicKey,
  readSignature,
  signatureToString,
} from '../protocol/key.ts'
import { nameToString } from '../protocol/name.ts'
import type { Reader } from '../protocol/reader.ts'
import { slotToString, timePointSecToString, timePointToString } from '../protocol/time.ts'

/** A type that reads its value from a cursor as JSON; undefined means that the value is absent. */
export type JsonType = (r: Reader) => Json | undefined

/** Reads a boolean. */
export const bool: JsonType = (r) => r.bool()

/** Reads an unsigned 8-bit integer. */
export const u8: JsonType = (r) => r.u8()

/** Reads an unsigned 16-bit integer. */
export const u16: JsonType = (r) => r.u16()

/** Reads an unsigned 32-bit integer. */
export const u32: JsonType = (r) => r.u32()

/**
 * Reads an unsigned 64-bit integer; a text if it is too large for a JSON number of the reference.
 */
export const u64: JsonType = (r) => integerToJson(r.u64())

/** Reads a signed 64-bit integer; a text if it is too large for a JSON number of the reference. */
export const i64: JsonType = (r) => integerToJson(r.i64())

/** Reads an unsigned integer in LEB128. */
export const varuint32: JsonType = (r) => r.varuint32()
/** Always text. */
export const u128: JsonType = (r) => r.u128().toString()

/** Reads a double as text. */
export const float64: JsonType = (r) => doubleToText(r.f64())
/** Raw bits. */
export const float128: JsonType = (r) => `0x${toHex(r.bytes(16))}`

/** Reads a 256-bit key as two decimal texts of 128 bits each. */
export const key256: JsonType = (r) => [r.u128().toString(), r.u128().toString()]

/** Reads a name as text. */
export const name: JsonType = (r) => nameToString(r.name())

/** Reads a text with its length before it. */
export const string: JsonType = (r) => r.string()

/** Reads a 32-byte hash as hexadecimal text. */
export const sha256: JsonType = (r) => toHex(r.bytes(32))

/** Reads bytes with their length before them as hexadecimal text. */
export const hex: JsonType = (r) => toHex(r.blob())

/** Reads bytes with their length before them as base64 text. */
export const base64: JsonType = (r) => toBase64(r.blob())

/** Reads a block slot as the text of its time. */
export const slot: JsonType = (r) => slotToString(r.u32())

/** Reads a time in microseconds as text. */
export const time_point: JsonType = (r) => timePointToString(r.i64())

/** Reads a time in seconds as text. */
export const time_point_sec: JsonType = (r) => timePointSecToString(r.u32())

/** Reads a public key as text. */
export const public_key: JsonType = (r) => publicKeyToString(readPublicKey(r))

/** Reads a signature as text. */
export const signature: JsonType = (r) => signatureToString(readSignature(r))

/** Reads a BLS public key as text. */
export const bls_public_key: JsonType = (r) => blsPublicKeyToString(r.blob())

/** Members in their order on the wire. */
export function struct(members: Readonly<Record<string, JsonType>>): JsonType {
  const entries = Object.entries(members)
  return (r) => {
    const object: JsonObject = {}
    for (const [member, type] of entries) {
      const value = type(r)
      if (value !== undefined) object[member] = value
    }
    return object
  }
}

/** A type for arrays of `type`, with their length before them. */
export function vector(type: JsonType): JsonType {
  return (r) => r.array((from) => type(from) ?? null)
}

/** A type for a fixed sequence of types, as an array. */
export function tuple(...types: JsonType[]): JsonType {
  return (r) => types.map((type) => type(r) ?? null)
}

/** An absent value is omitted from its struct. */
export function optional(type: JsonType): JsonType {
  return (r) => (r.bool() ? type(r) : undefined)
}

/** An absent value is null. */
export function pointer(type: JsonType): JsonType {
  return (r) => (r.bool() ? type(r) : null)
}

/** A type for a variant: a pair of the index of the type and the value. */
export function variant(...types: JsonType[]): JsonType {
  return (r) => {
    const index = r.varuint32()
    const type = types[index]
    check(type, 'snapshot_exception', () => `there is no alternative ${index} of a variant`)
    return [index, type(r) ?? null]
  }
}
