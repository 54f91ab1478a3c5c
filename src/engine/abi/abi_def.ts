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

/** An alias: `new_type_name` for `type`. */
export interface TypeDef {
  new_type_name: string
  type: string
}

/** A field of a struct, in order. */
export interface FieldDef {
  name: string
  type: string
}

/** A struct with its base and its own fields. */
export interface StructDef {
  name: string
  /** Name of the struct whose fields come first; empty without one. */
  base: string
  fields: FieldDef[]
}

/** An action with the struct of its data. */
export interface ActionDef {
  name: string
  type: string
  ricardian_contract: string
}

/** A table with its row type and the names of its keys. */
export interface TableDef {
  name: string
  index_type: string
  key_names: string[]
  key_types: string[]
  type: string
}

/** A Ricardian clause. */
export interface ClausePair {
  id: string
  body: string
}

/** The text for an error code of a contract. */
export interface ErrorMessage {
  /** uint64. */
  error_code: IntegerJson
  error_msg: string
}

/** A variant: a name for one of several types. */
export interface VariantDef {
  name: string
  types: string[]
}

/** The type of an action's return value. */
export interface ActionResultDef {
  name: string
  result_type: string
}
