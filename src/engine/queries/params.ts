import {
  isObject,
  asBool,
  asInt64,
  asObject,
  asString,
  asUint64,
  strictString,
} from '../abi/lenient_json.ts'
import type { FieldOf } from '../contract.ts'
import { ChainError, check } from '../errors.ts'
import { nameFromString } from '../protocol/name.ts'
import { symbolFromString } from '../protocol/symbol.ts'

/**
 * An unsigned integer of a request, as a number or its text; null is 0, and -1 is the greatest one. The
 * reference keeps the low bits of one that is too wide: 2^32 words of NET would be no limit at all.
 * @throws ChainError invalid_http_request for what does not fit in `bits` (at most 32)
 */
export function unsignedFromJson(value: unknown, bits: number): number {
  const read = asUint64(value)
  const kept = BigInt.asUintN(bits, read)
  return fitting(read === MINUS_ONE ? kept : read, kept, value, bits)
}

const MINUS_ONE = 2n ** 64n - 1n

/**
 * The same for a signed integer.
 * @throws ChainError bad_cast_exception, parse_error_exception, or invalid_http_request out of
 *   range
 */
export function signedFromJson(value: unknown, bits: number): number {
  const read = asInt64(value)
  return fitting(read, BigInt.asIntN(bits, read), value, bits)
}

function fitting(read: bigint, kept: bigint, value: unknown, bits: number): number {
  const text = (): string => `${asString(value)} does not fit in ${bits} bits`
  check(read === kept, 'invalid_http_request', text)
  return Number(kept)
}

/**
 * The fields of a request, read as leniently as the reference's parser reads them: numbers may be
 * strings, strings may be numbers, absent fields keep their default, unknown ones are ignored.
 * A field that the contract does not name cannot be asked for.
 */
export class Params<B> {
  private readonly fields: Record<string, unknown>

  constructor(params: B) {
    this.fields = asObject(params)
  }

  /** Whether the request has the field, also if its value is null. */
  has(key: FieldOf<B>): boolean {
    return Object.hasOwn(this.fields, key)
  }

  /** The field as it came; undefined when it is absent. */
  raw(key: FieldOf<B>): unknown {
    return this.has(key) ? this.fields[key] : undefined
  }

  /** An account or table name; must be a string, and not null. Absent: the empty name. */
  name(key: FieldOf<B>): bigint {
    return this.has(key) ? nameFromString(strictString(this.fields[key])) : 0n
  }

  /** A string; null is an absent field, as in what follows. */
  string(key: FieldOf<B>, absent = ''): string {
    return this.optionalString(key) ?? absent
  }

  /**
   * A number of 32 bits, which may be a text; `absent` if the field is absent or null.
   * @throws invalid_http_request beyond 32 bits, bad_cast_exception for another kind of value
   */
  uint32(key: FieldOf<B>, absent: number): number {
    return this.optionalUint32(key) ?? absent
  }

  /**
   * A boolean; `absent` if the field is absent or null.
   * @throws bad_cast_exception for another value
   */
  bool(key: FieldOf<B>, absent = false): boolean {
    return this.optional(key, asBool) ?? absent
  }

  /**
   * A text, also of a number or a boolean; undefined if the field is absent or null.
   * @throws bad_cast_exception for an array or an object
   */
  optionalString(key: FieldOf<B>): string | undefined {
    return this.optional(key, asString)
  }

  /**
   * A number of 32 bits, which may be a text; undefined if the field is absent or null.
   * @throws invalid_http_request beyond 32 bits, bad_cast_exception for another kind of value
   */
  optionalUint32(key: FieldOf<B>): number | undefined {
    return this.optional(key, (value) => unsignedFromJson(value, 32))
  }

  /** A symbol like `4,SYS`. */
  optionalSymbol(key: FieldOf<B>): bigint | undefined {
    return this.optional(key, (value) => symbolFromString(strictString(value)))
  }

  /** The result of `read` for a field; undefined if the field is absent or null. */
  optional<T>(key: FieldOf<B>, read: (value: unknown) => T): T | undefined {
    const value = this.raw(key)
    return value === undefined || value === null ? undefined : read(value)
  }
}

/**
 * Reads the parameters of a request with `read`; whatever does not fit is invalid_http_request
 * (spring: http_plugin.hpp parse_params).
 */
export function parseParams<B, T>(params: B, read: (fields: Params<B>) => T): T {
  return invalidRequest('Unable to parse valid input from POST body', () =>
    read(new Params(params)),
  )
}

/** Runs `f`; its errors become invalid_http_request, led by `message`. */
export function invalidRequest<T>(message: string, f: () => T): T {
  try {
    return f()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    const invalid = new ChainError('invalid_http_request', message, { cause: error })
    invalid.details.push(...error.details)
    throw invalid
  }
}

/**
 * Parameters that may come wrapped in an object under `key`, or flat.
 * `{params: {limit: 1}}` and `{limit: 1}` are the same.
 */
export function unwrapped<B, K extends FieldOf<B>>(params: B, key: K): Unwrapped<B, K> {
  if (!isObject(params) || !Object.hasOwn(params, key)) return params as Unwrapped<B, K>
  return (params[key] ?? {}) as Unwrapped<B, K>
}

type Unwrapped<B, K extends string> = B extends Record<K, infer Inner> ? NonNullable<Inner> : B

/** Removes the fields that are undefined. */
export function present<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
