import type { HostFunction } from './host/host_function.ts'
import type { TypedImport } from './preparation/code_facts.ts'
import { LINK, parseCheck } from './wasm/parse_error.ts'
import { sameType } from './wasm/module.ts'
import type { FuncType, WasmModule } from './wasm/module.ts'

/** The functions that a code imports, with their types. */
export function typedImports({ imports, types }: WasmModule): TypedImport[] {
  return imports.map(({ module, field, type_index }) => ({
    module,
    field,
    type: types[type_index]!,
  }))
}

/** Finds host functions; one name may have several types. */
export interface KnownFunctions {
  get(name: string, type: FuncType): HostFunction | undefined
}

/**
 * The host function of each import (eos-vm: host_function.hpp resolve).
 * @throws WasmParseError
 */
export function linkImports(
  imports: readonly TypedImport[],
  known: KnownFunctions,
): HostFunction[] {
  return imports.map(({ module, field, type }) => {
    const f = module === 'env' ? known.get(field, type) : undefined
    parseCheck(f !== undefined, `no mapping for imported function ${field}`, LINK)
    parseCheck(sameType(f.type, type), `wrong type for imported function ${field}`, LINK)
    return f
  })
}
