import type { IntegerJson } from './number_text.ts'

/**
 * An ABI document in its JSON form. Names are strings here; optional parts are always present.
 * spring: libraries/chain/include/eosio/chain/abi_def.hpp
 */
export interface AbiDef {
  /** `eosio::abi/1.x`. */
  version: string
  types: TypeDef[]
  structs: StructDef[]
  actions: ActionDef[]
  tables: TableDef[]
  ricardian_clauses: ClausePair[]
  error_messages: ErrorMessage[]
  /** Pairs of type and content in hex. */
  abi_extensions: [number, string][]
  variants: VariantDef[]
  action_results: ActionResultDef[]
}

export interface TypeDef {
  new_type_name: string
  type: string
}

export interface FieldDef {
  name: string
  type: string
}

export interface StructDef {
  name: string
  /** Name of the struct whose fields come first; empty without one. */
  base: string
  fields: FieldDef[]
}

export interface ActionDef {
  name: string
  type: string
  ricardian_contract: string
}

export interface TableDef {
  name: string
  index_type: string
  key_names: string[]
  key_types: string[]
  type: string
}

export interface ClausePair {
  id: string
  body: string
}

export interface ErrorMessage {
  /** uint64. */
  error_code: IntegerJson
  error_msg: string
}

export interface VariantDef {
  name: string
  types: string[]
}

export interface ActionResultDef {
  name: string
  result_type: string
}
