import { fromHex, toHex } from '../protocol/hex.ts'
import { nameFromString, nameToString } from '../protocol/name.ts'
import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'
import type {
  AbiDef,
  ActionDef,
  ActionResultDef,
  ClausePair,
  ErrorMessage,
  StructDef,
  TableDef,
  TypeDef,
  VariantDef,
} from './abi_def.ts'
import { uint64HalvesToJson } from './number_text.ts'
import { bytesToText } from '../protocol/text.ts'
import { asUint64 } from './lenient_json.ts'

/** Four bytes or fewer hold no ABI (spring: abi_serializer::is_empty_abi). */
export function isEmptyAbi(bytes: Uint8Array): boolean {
  return bytes.length <= 4
}

const text = (r: Reader): string => bytesToText(r.blob())
const name = (r: Reader): string => nameToString(r.name())

const readType = (r: Reader): TypeDef => ({ new_type_name: text(r), type: text(r) })

const readStruct = (r: Reader): StructDef => ({
  name: text(r),
  base: text(r),
  fields: r.array((f) => ({ name: text(f), type: text(f) })),
})

const readAction = (r: Reader): ActionDef => ({
  name: name(r),
  type: text(r),
  ricardian_contract: text(r),
})

const readTable = (r: Reader): TableDef => ({
  name: name(r),
  index_type: text(r),
  key_names: r.array(text),
  key_types: r.array(text),
  type: text(r),
})

const readClause = (r: Reader): ClausePair => ({ id: text(r), body: text(r) })

const readErrorMessage = (r: Reader): ErrorMessage => {
  const low = r.u32()
  const error_code = uint64HalvesToJson(low, r.u32())
  return { error_code, error_msg: text(r) }
}

const readExtension = (r: Reader): [number, string] => [r.u16(), toHex(r.blob())]

const readVariant = (r: Reader): VariantDef => ({ name: text(r), types: r.array(text) })

const readActionResult = (r: Reader): ActionResultDef => ({ name: name(r), result_type: text(r) })

/**
 * The ABI document in packed bytes. Variants and action results may be absent at the end, and bytes
 * after them are ignored. Nothing is validated here beyond the shape: see `compileAbi`.
 */
export function unpackAbi(bytes: Uint8Array): AbiDef {
  const r = new Reader(bytes)
  return {
    version: text(r),
    types: r.array(readType),
    structs: r.array(readStruct),
    actions: r.array(readAction),
    tables: r.array(readTable),
    ricardian_clauses: r.array(readClause),
    error_messages: r.array(readErrorMessage),
    abi_extensions: r.array(readExtension),
    variants: r.remaining() ? r.array(readVariant) : [],
    action_results: r.remaining() ? r.array(readActionResult) : [],
  }
}

const writeText = (w: Writer, s: string): void => w.string(s)
const writeName = (w: Writer, s: string): void => w.name(nameFromString(s))

/** The packed form of an ABI document, as clients send it in setabi. */
export function packAbi(abi: AbiDef): Uint8Array {
  const w = new Writer(4096)
  w.string(abi.version)
  w.array(abi.types, (_, t) => {
    w.string(t.new_type_name)
    w.string(t.type)
  })
  w.array(abi.structs, (_, s) => {
    w.string(s.name)
    w.string(s.base)
    w.array(s.fields, (_w, f) => {
      w.string(f.name)
      w.string(f.type)
    })
  })
  w.array(abi.actions, (_, a) => {
    writeName(w, a.name)
    w.string(a.type)
    w.string(a.ricardian_contract)
  })
  w.array(abi.tables, packTable)
  w.array(abi.ricardian_clauses, (_, c) => {
    w.string(c.id)
    w.string(c.body)
  })
  w.array(abi.error_messages, (_, e) => {
    w.u64(asUint64(e.error_code))
    w.string(e.error_msg)
  })
  w.array(abi.abi_extensions, (_, [type, data]) => {
    w.u16(type)
    w.blob(fromHex(data))
  })
  w.array(abi.variants, (_, v) => {
    w.string(v.name)
    w.array(v.types, writeText)
  })
  w.array(abi.action_results, (_, r) => {
    writeName(w, r.name)
    w.string(r.result_type)
  })
  return w.bytes()
}

function packTable(w: Writer, table: TableDef): void {
  writeName(w, table.name)
  w.string(table.index_type)
  w.array(table.key_names, writeText)
  w.array(table.key_types, writeText)
  w.string(table.type)
}
