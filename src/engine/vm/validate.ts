import { ChainError, check, errorOf, fail, recordOf } from '../errors.ts'
import type { ErrorRecord } from '../errors.ts'
import { WASM_CONFIG_FIELDS } from '../protocol/config.ts'
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

/** The rules by which a code is checked, but for the functions that it may import. */
export interface CodeRules {
  /** Undefined before CONFIGURABLE_WASM_LIMITS2: then the old parser and limits apply first. */
  config: WasmConfig | undefined
  /** Whether the code is set in a block that this node makes, which may refuse more. */
  speculative: boolean
}

/**
 * What the rules say about a code, as plain data: each import must be whitelisted, in this order; after
 * them comes the failure.
 */
export interface CodeCheck {
  /** Each function once, in the order of the code. Empty if the failure comes before imports. */
  imports: ImportedName[]
  failure: ErrorRecord | undefined
}

interface ImportedName {
  module: string
  field: string
}

/**
 * Checks code as setcode does (spring: wasm_interface.cpp validate,
 * webassembly/runtimes/eos-vm.cpp).
 * @throws ChainError wasm_serialization_error, wasm_execution_error
 */
export function validateCode(
  code: Uint8Array,
  rules: CodeRules,
  isWhitelisted: (name: string) => boolean,
): void {
  concludeCheck(checkCode(code, rules), isWhitelisted)
}

/** The part of the check that depends on the code and the rules alone, so that any thread can do it. */
export function checkCode(code: Uint8Array, rules: CodeRules): CodeCheck {
  const result: CodeCheck = { imports: [], failure: undefined }
  try {
    const module = parseAs(code, rules)
    link(module)
    result.imports = importedNames(module)
    if (rules.config !== undefined) checkApply(module)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    result.failure = recordOf(error)
  }
  return result
}

/**
 * The rest of the check, and its result.
 * @throws ChainError wasm_serialization_error, wasm_execution_error
 */
export function concludeCheck(
  { imports, failure }: CodeCheck,
  isWhitelisted: (name: string) => boolean,
): void {
  for (const { module, field } of imports) {
    if (isWhitelisted(field)) continue
    refuse('wasm_serialization_error', '${module}.${fn} unresolveable', { module, fn: field })
  }
  if (failure !== undefined) throw errorOf(failure)
}

/** Whether a check by the one rules is one by the others. */
export function sameRules(a: CodeRules, b: CodeRules): boolean {
  if (a.speculative !== b.speculative) return false
  const [one, other] = [a.config, b.config]
  if (one === undefined || other === undefined) return one === other
  return WASM_CONFIG_FIELDS.every((field) => one[field] === other[field])
}

function parseAs(code: Uint8Array, { config, speculative }: CodeRules): WasmModule {
  if (config === undefined) {
    const old = parse(() => parseGenesisModule(code))
    checkGenesisConstraints(code, old, speculative)
    return parse(() => parseModule(code, GENESIS_OPTIONS))
  }
  check(code.length <= config.max_module_bytes, 'wasm_serialization_error', 'Code too large')
  return parse(() => parseModule(code, configuredOptions(config)))
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

function link(module: WasmModule): void {
  try {
    linkImports(typedImports(module), HOST_FUNCTIONS)
  } catch (error) {
    throw serializationError(error)
  }
}

function importedNames({ imports }: WasmModule): ImportedName[] {
  const seen = new Set<string>()
  const names: ImportedName[] = []
  for (const { module, field } of imports) {
    if (seen.has(field)) continue
    seen.add(field)
    names.push({ module, field })
  }
  return names
}

function checkApply(module: WasmModule): void {
  const index = exportedFunction(module, 'apply')
  if (index === undefined) fail('wasm_serialization_error', 'apply not exported')
  const { params, result } = functionType(module, index)!
  const right = params.length === 3 && params.every((p) => p === I64) && result === NO_RESULT
  check(right, 'wasm_serialization_error', 'apply has wrong type')
}
