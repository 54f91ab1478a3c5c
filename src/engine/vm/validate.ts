import { check, fail } from '../errors.ts'
import type { WasmConfig } from '../protocol/config.ts'
import { HOST_FUNCTIONS } from './host/table.ts'
import { linkImports, typedImports } from './link_imports.ts'
import { refusal, refuse } from './refuse.ts'
import { checkGenesisConstraints } from './wasm/genesis/constraints.ts'
import { parseGenesisModule } from './wasm/genesis/parse.ts'
import { I64, NO_RESULT, exportedFunction, functionType } from './wasm/module.ts'
import type { WasmModule } from './wasm/module.ts'
import { parseModule } from './wasm/parse_module.ts'
import { WasmParseError } from './wasm/parse_error.ts'
import { GENESIS_OPTIONS, configuredOptions } from './wasm/parse_options.ts'

/**
 * Checks code as setcode does (spring: wasm_interface.cpp validate,
 * webassembly/runtimes/eos-vm.cpp). Without a config (before CONFIGURABLE_WASM_LIMITS2) the old
 * parser and limits apply first.
 * @param speculative whether the code is set in a block that this node makes
 */
export function validateCode(
  code: Uint8Array,
  config: WasmConfig | undefined,
  isIntrinsicWhitelisted: (name: string) => boolean,
  speculative: boolean,
): void {
  if (config === undefined) {
    const old = parse(() => parseGenesisModule(code))
    checkGenesisConstraints(code, old, speculative)
    const module = parse(() => parseModule(code, GENESIS_OPTIONS))
    checkImports(module, isIntrinsicWhitelisted)
    return
  }
  check(code.length <= config.max_module_bytes, 'wasm_serialization_error', 'Code too large')
  const module = parse(() => parseModule(code, configuredOptions(config)))
  checkImports(module, isIntrinsicWhitelisted)
  checkApply(module)
}

function parse<T>(parser: () => T): T {
  try {
    return parser()
  } catch (error) {
    throw serializationError(error)
  }
}

function serializationError(error: unknown): unknown {
  if (!(error instanceof WasmParseError)) return error
  return refusal('wasm_serialization_error', error.message)
}

function checkImports(module: WasmModule, isWhitelisted: (name: string) => boolean): void {
  try {
    linkImports(typedImports(module), HOST_FUNCTIONS)
  } catch (error) {
    throw serializationError(error)
  }
  for (const entry of module.imports) {
    if (isWhitelisted(entry.field)) continue
    refuse('wasm_serialization_error', '${module}.${fn} unresolveable', {
      module: entry.module,
      fn: entry.field,
    })
  }
}

function checkApply(module: WasmModule): void {
  const index = exportedFunction(module, 'apply')
  if (index === undefined) fail('wasm_serialization_error', 'apply not exported')
  const { params, result } = functionType(module, index)!
  const right = params.length === 3 && params.every((p) => p === I64) && result === NO_RESULT
  check(right, 'wasm_serialization_error', 'apply has wrong type')
}
