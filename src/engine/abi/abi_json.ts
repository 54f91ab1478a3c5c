import { nameFromString } from '../protocol/name.ts'
import type { AbiDef } from './abi_def.ts'
import { hexString } from './hex_bytes.ts'
import { integerToJson } from './number_text.ts'
import { asArray, asObject, asString, asUint32, asUint64, strictString } from './lenient_json.ts'

type Fields = Record<string, unknown>

/** The list under a key; an absent key is an empty list, as reflection leaves the default. */
function list<T>(fields: Fields, key: string, item: (fields: Fields) => T): T[] {
  if (!Object.hasOwn(fields, key)) return []
  return asArray(fields[key]).map((value) => item(asObject(value)))
}

const strings = (fields: Fields, key: string): string[] =>
  Object.hasOwn(fields, key) ? asArray(fields[key]).map(asString) : []

const string = (fields: Fields, key: string): string =>
  Object.hasOwn(fields, key) ? asString(fields[key]) : ''

function name(fields: Fields, key: string): string {
  if (!Object.hasOwn(fields, key)) return ''
  const value = strictString(fields[key])
  nameFromString(value)
  return value
}

/**
 * An ABI document from JSON, as clients hold it in `.abi` files. Absent parts are empty, unknown
 * parts are ignored. spring: FC_REFLECT(eosio::chain::abi_def)
 * @throws ChainError bad_cast_exception, or the error of a field
 */
export function abiFromJson(json: unknown): AbiDef {
  const abi = asObject(json)
  return {
    version: string(abi, 'version'),
    types: list(abi, 'types', (t) => ({
      new_type_name: string(t, 'new_type_name'),
      type: string(t, 'type'),
    })),
    structs: list(abi, 'structs', (s) => ({
      name: string(s, 'name'),
      base: string(s, 'base'),
      fields: list(s, 'fields', (f) => ({ name: string(f, 'name'), type: string(f, 'type') })),
    })),
    actions: list(abi, 'actions', (a) => ({
      name: name(a, 'name'),
      type: string(a, 'type'),
      ricardian_contract: string(a, 'ricardian_contract'),
    })),
    tables: list(abi, 'tables', (t) => ({
      name: name(t, 'name'),
      index_type: string(t, 'index_type'),
      key_names: strings(t, 'key_names'),
      key_types: strings(t, 'key_types'),
      type: string(t, 'type'),
    })),
    ricardian_clauses: list(abi, 'ricardian_clauses', (c) => ({
      id: string(c, 'id'),
      body: string(c, 'body'),
    })),
    error_messages: list(abi, 'error_messages', (e) => ({
      error_code: integerToJson(errorCode(e['error_code'])),
      error_msg: string(e, 'error_msg'),
    })),
    abi_extensions: Object.hasOwn(abi, 'abi_extensions')
      ? asArray(abi['abi_extensions']).map(extension)
      : [],
    variants: list(abi, 'variants', (v) => ({
      name: string(v, 'name'),
      types: strings(v, 'types'),
    })),
    action_results: list(abi, 'action_results', (r) => ({
      name: name(r, 'name'),
      result_type: string(r, 'result_type'),
    })),
  }
}

/**
 * An error code. Files contain the codes of the compiler as numbers beyond 2^53. Such a code may
 * differ in its last digits, which is better than no ABI.
 */
function errorCode(value: unknown): bigint {
  const imprecise = typeof value === 'number' && Number.isInteger(value) && value >= 2 ** 53
  return imprecise ? BigInt.asUintN(64, BigInt(value)) : asUint64(value)
}

function extension(value: unknown): [number, string] {
  const pair = asArray(value)
  return [asUint32(pair[0]) & 0xffff, pair.length > 1 ? hexString(pair[1]) : '']
}
