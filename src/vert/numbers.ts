/** Conversions between names, symbols and numbers that tests use for scopes and keys. */
import type { Name, NameType } from '@wharfkit/antelope'
import { looseName, nameToString } from '../engine/protocol/name.ts'
import { antelope } from './antelope.ts'

/** An integer of another library, such as `BN` or `UInt64`. */
export interface Integer {
  toString(): string
}

/** A number that selects a scope or a row. */
export type Key = bigint | number | Integer

/** A name: its text, or a value of any copy of the library. */
export type NameLike = NameType | { toString(): string }

/** Unsigned 64 bits of a scope, a primary key or a name's number. */
export function toUint64(key: Key): bigint {
  return BigInt.asUintN(64, typeof key === 'bigint' ? key : BigInt(key.toString()))
}

/** The number of an integer of bn.js. */
export function bnToBigInt(num: Integer): bigint {
  return BigInt(num.toString())
}

/** The integer of bn.js of a number. */
export function bigIntToBn(num: bigint): Integer {
  const zero = antelope.UInt64.from(0).value
  const Bn = zero.constructor as new (text: string) => Integer
  return new Bn(num.toString())
}

/** The number of a name. */
export function nameToBigInt(name: NameLike): bigint {
  // Names of any copy of the library print their text, and integers print their digits.
  if (typeof name === 'string') return looseName(name)
  return looseName(antelope.Name.from(name as NameType).toString())
}

/** The name of a number. */
export function bigIntToName(name: bigint): Name {
  return antelope.Name.from(nameToString(BigInt.asUintN(64, name)))
}

/** The number of a name. */
export function nameTypeToBigInt(name: NameLike): bigint {
  return nameToBigInt(name)
}

/** The number of a symbol code. */
export function symbolCodeToBigInt(symbol_code: { value: { value: Integer } }): bigint {
  return bnToBigInt(symbol_code.value.value)
}
