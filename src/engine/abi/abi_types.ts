import { check, fail } from '../errors.ts'
import type { ErrorName } from '../errors.ts'
import { nameFromString } from '../protocol/name.ts'
import type { AbiDef, StructDef, VariantDef } from './abi_def.ts'
import { BUILTIN_TYPES } from './builtin_types.ts'
import type { ConversionBudget } from './conversion_budget.ts'
import { asUint64 } from './lenient_json.ts'

/** Nesting of types and values that the reference follows (abi_serializer::max_recursion_depth). */
export const MAX_RECURSION_DEPTH = 32

/**
 * Checks that the nesting is below the limit.
 * @throws ChainError abi_recursion_depth_exception
 */
export function checkDepth(depth: number): void {
  if (depth >= MAX_RECURSION_DEPTH) {
    fail(
      'abi_recursion_depth_exception',
      `recursive definition, max_recursion_depth ${MAX_RECURSION_DEPTH} `,
    )
  }
}

/** Whether an ABI type is an array (`T[]`). */
export const isArrayType = (type: string): boolean => type.endsWith('[]')

/** Whether an ABI type is optional (`T?`). */
export const isOptionalType = (type: string): boolean => type.endsWith('?')

/** Whether an ABI type is a binary extension (`T$`), which may be absent at the end of a struct. */
export const isExtensionType = (type: string): boolean => type.endsWith('$')

/** `T[N]`: the reference takes it for a single T (spring: abi_serializer::is_szarray). */
function isSizedArrayType(type: string): boolean {
  const open = type.lastIndexOf('[')
  const close = type.lastIndexOf(']')
  if (open < 0 || close < 0 || open + 1 === close) return false
  return /^[0-9]*$/.test(type.slice(open + 1, Math.max(open + 1, close)))
}

/** The type without one `[]`, `[N]` or `?`. */
export function fundamentalType(type: string): string {
  if (isArrayType(type)) return type.slice(0, -2)
  if (isSizedArrayType(type)) return type.slice(0, type.lastIndexOf('['))
  if (isOptionalType(type)) return type.slice(0, -1)
  return type
}

/** The type without a binary extension mark. */
export function withoutExtension(type: string): string {
  return isExtensionType(type) ? type.slice(0, -1) : type
}

/**
 * The type names that an ABI declares, and their definitions.
 * spring: libraries/chain/abi_serializer.cpp set_abi
 */
export class AbiTypes {
  readonly typedefs = new Map<string, string>()
  readonly structs = new Map<string, StructDef>()
  readonly variants = new Map<string, VariantDef>()
  readonly actions: Map<bigint, string>
  readonly tables: Map<bigint, string>
  readonly action_results: Map<bigint, string>
  readonly error_messages: Map<bigint, string>

  /**
   * `budget` limits the cost of look-ups, because aliases may have long names and occur everywhere.
   * @throws ChainError unsupported_abi_version_exception, duplicate_abi_type_def_exception, or the
   *   error of a budget that is used up
   */
  constructor(abi: AbiDef, budget: ConversionBudget) {
    check(
      abi.version.startsWith('eosio::abi/1.'),
      'unsupported_abi_version_exception',
      'ABI has an unsupported version',
    )
    for (const s of abi.structs) this.structs.set(s.name, s)
    for (const t of abi.types) {
      check(
        !this.isType(t.new_type_name, 1, budget),
        'duplicate_abi_type_def_exception',
        'type already exists',
      )
      this.typedefs.set(t.new_type_name, t.type)
    }
    this.actions = new Map(abi.actions.map((a) => [nameFromString(a.name), a.type]))
    this.tables = new Map(abi.tables.map((t) => [nameFromString(t.name), t.type]))
    this.error_messages = new Map(
      abi.error_messages.map((e) => [asUint64(e.error_code), e.error_msg]),
    )
    for (const v of abi.variants) this.variants.set(v.name, v)
    this.action_results = new Map(
      abi.action_results.map((r) => [nameFromString(r.name), r.result_type]),
    )
    this.checkDuplicates(abi)
  }

  private checkDuplicates(abi: AbiDef): void {
    const parts: [size: number, listed: number, error: ErrorName, what: string][] = [
      [this.typedefs.size, abi.types.length, 'duplicate_abi_type_def_exception', 'type'],
      [this.structs.size, abi.structs.length, 'duplicate_abi_struct_def_exception', 'struct'],
      [this.actions.size, abi.actions.length, 'duplicate_abi_action_def_exception', 'action'],
      [this.tables.size, abi.tables.length, 'duplicate_abi_table_def_exception', 'table'],
      [
        this.error_messages.size,
        abi.error_messages.length,
        'duplicate_abi_err_msg_def_exception',
        'error message',
      ],
      [this.variants.size, abi.variants.length, 'duplicate_abi_variant_def_exception', 'variant'],
      [
        this.action_results.size,
        abi.action_results.length,
        'duplicate_abi_action_results_def_exception',
        'action results',
      ],
    ]
    for (const [size, listed, error, what] of parts) {
      check(size === listed, error, `duplicate ${what} definition detected`)
    }
  }

  /** Resolves an alias to its final type; returns other types unchanged. */
  resolve(type: string, budget?: ConversionBudget): string {
    budget?.spendName(type)
    let target = this.typedefs.get(type)
    if (target === undefined) return type
    for (let i = this.typedefs.size; i > 0; i--) {
      budget?.spendName(target)
      const next = this.typedefs.get(target)
      if (next === undefined) return target
      target = next
    }
    return type
  }

  /** The name of a value of this type in messages. */
  rootName(type: string, budget: ConversionBudget): string {
    const resolved = this.resolve(type, budget)
    if (isArrayType(resolved)) return 'ARRAY'
    return this.structs.has(resolved) || this.variants.has(resolved) ? resolved : ''
  }

  /** Whether the type is known; `depth` is the nesting so far. */
  isType(type: string, depth: number, budget: ConversionBudget): boolean {
    checkDepth(depth + 1)
    budget.spendName(type)
    const fundamental = fundamentalType(type)
    if (BUILTIN_TYPES.has(fundamental)) return true
    const target = this.typedefs.get(fundamental)
    if (target !== undefined) return this.isType(target, depth + 1, budget)
    return this.structs.has(fundamental) || this.variants.has(fundamental)
  }

  /**
   * The struct with this name.
   * @throws ChainError invalid_type_inside_abi
   */
  struct(type: string, budget: ConversionBudget): StructDef {
    const found = this.structs.get(this.resolve(type, budget))
    if (!found) return fail('invalid_type_inside_abi', `Unknown struct ${type}`)
    return found
  }
}
