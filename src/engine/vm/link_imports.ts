import type { HostFunction } from './host/host_function.ts'
import { LINK, parseCheck } from './wasm/parse_error.ts'
import { sameType } from './wasm/module.ts'
import type { WasmModule } from './wasm/module.ts'

/** The host function of each import; throws WasmParseError (eos-vm: host_function.hpp resolve). */
export function linkImports(
  module: WasmModule,
  known: ReadonlyMap<string, HostFunction>,
): HostFunction[] {
  return module.imports.map((entry) => {
    const f = entry.module === 'env' ? known.get(entry.field) : undefined
    parseCheck(f !== undefined, `no mapping for imported function ${entry.field}`, LINK)
    const right = sameType(f.type, module.types[entry.type_index]!)
    parseCheck(right, `wrong type for imported function ${entry.field}`, LINK)
    return f
  })
}
