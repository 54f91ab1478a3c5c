import { Reader } from '../protocol/reader.ts'
import { Writer } from '../protocol/writer.ts'
import type { AbiDef } from './abi_def.ts'
import { AbiContext, AbiPath } from './abi_path.ts'
import { AbiTypes, checkDepth } from './abi_types.ts'
import { ConversionBudget } from './conversion_budget.ts'
import { bytesFromJson } from './hex_bytes.ts'
import type { Json } from './json.ts'
import { ValueReaders } from './read_value.ts'
import { validateAbi } from './validate_abi.ts'
import { ValueWriters } from './write_value.ts'

/** The limits of one conversion, and the form of its errors. */
export interface AbiOptions {
  /** Error messages show the whole path instead of the type at its end. Default false. */
  full_path?: boolean
  /** Nesting that is used up already where the value is part of something bigger. Default 1. */
  depth?: number
  /** The budget, shared by the conversions of a request; a new one by default. */
  budget?: ConversionBudget
}

/** An ABI whose types are read and written by compiled functions. */
export class CompiledAbi {
  readonly types: AbiTypes
  private readonly readers: ValueReaders
  private readonly writers: ValueWriters

  constructor(types: AbiTypes) {
    this.types = types
    this.readers = new ValueReaders(types)
    this.writers = new ValueWriters(types)
  }

  /** The type of an action's data; undefined when the ABI has no such action. */
  actionType(name: bigint): string | undefined {
    return this.types.actions.get(name) || undefined
  }

  /** The type of a table's rows; undefined when the ABI has no such table. */
  tableType(name: bigint): string | undefined {
    return this.types.tables.get(name) || undefined
  }

  /** The type of an action's return value; undefined if the ABI declares none. */
  actionResultType(name: bigint): string | undefined {
    return this.types.action_results.get(name) || undefined
  }

  /** The contract's own text for an error code of its assertions. */
  errorMessage(code: bigint): string | undefined {
    return this.types.error_messages.get(code)
  }

  /** Whether the ABI knows a type. */
  isType(type: string): boolean {
    return this.types.isType(type, 1, new ConversionBudget())
  }

  /**
   * Converts a packed value to JSON; bytes after it are ignored.
   * @throws ChainError unpack_exception, abi_exception, invalid_type_inside_abi,
   *   abi_recursion_depth_exception, and errors of the value itself (symbol_type_exception,
   *   asset_type_exception …)
   */
  decode(type: string, bytes: Uint8Array, options: AbiOptions = {}): Json {
    const depth = options.depth ?? 1
    checkDepth(depth + 1)
    const { budget = new ConversionBudget(), full_path = false } = options
    const c = new AbiContext(new AbiPath(this.types.rootName(type, budget), full_path), budget)
    return this.readers.of(type)(new Reader(bytes), c, depth + 1)
  }

  /**
   * Packs a JSON value. A type that is unknown to the ABI is given as hexadecimal text.
   * @throws ChainError pack_exception, abi_exception, and errors of the value itself
   *   (bad_cast_exception …)
   */
  encode(type: string, value: unknown, options: AbiOptions = {}): Uint8Array {
    const depth = options.depth ?? 1
    checkDepth(depth + 1)
    const { budget = new ConversionBudget(), full_path = false } = options
    if (!this.types.isType(type, depth + 1, budget)) return bytesFromJson(value)
    const w = new Writer()
    const c = new AbiContext(new AbiPath(this.types.rootName(type, budget), full_path), budget)
    this.writers.of(type)(value, w, c, depth + 1, true)
    return w.bytes()
  }
}

/** Validates an ABI and makes it ready for use; see `validateAbi` for what it refuses. */
export function compileAbi(abi: AbiDef): CompiledAbi {
  const budget = new ConversionBudget()
  const types = new AbiTypes(abi, budget)
  validateAbi(types, budget)
  return new CompiledAbi(types)
}
