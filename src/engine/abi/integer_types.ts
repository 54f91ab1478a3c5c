import { fail } from '../errors.ts'
import type { Builtin } from './abi_path.ts'
import { SMALL_VALUE_COST, WIDE_VALUE_COST } from './conversion_budget.ts'
import { integerToJson, uint64HalvesToJson } from './number_text.ts'
import { asInt32, asInt64, asUint32, asUint64, variantType } from './lenient_json.ts'

const I128_MAX = (1n << 127n) - 1n
const U128_MAX = (1n << 128n) - 1n

/**
 * A 128-bit integer from JSON: a decimal, `0x` hexadecimal or `0` octal string. The reference takes
 * JSON numbers for some signs only; here any integer is taken.
 */
function wideInteger(value: unknown, type: 'int128_t' | 'uint128_t'): bigint {
  const parsed = parseWide(value)
  if (parsed === undefined) {
    const text = `Cannot convert variant of type '${variantType(value)}' into a ${type}`
    return fail('bad_cast_exception', text)
  }
  const fits =
    type === 'int128_t'
      ? parsed <= I128_MAX && parsed >= -I128_MAX - 1n
      : parsed <= U128_MAX && parsed >= 0n
  if (!fits) return fail('std_exception', `Value is out of the range of ${type}`)
  return parsed
}

function parseWide(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string') return undefined
  const match = /^([+-]?)(0x[0-9a-f]{1,40}|[0-9]{1,60})$/i.exec(value)
  if (!match)
    return fail('std_exception', 'Unexpected content found while parsing character string.')
  const digits = match[2]!
  const octal = /^0[0-7]+$/.test(digits)
  if (!octal && /^0[0-9]+$/.test(digits)) {
    return fail('std_exception', 'Unexpected content found while parsing character string.')
  }
  const magnitude = BigInt(octal ? `0o${digits.slice(1)}` : digits)
  return match[1] === '-' ? -magnitude : magnitude
}

/** Integers; narrow types wrap what does not fit, as the reference's casts do. */
export const INTEGER_TYPES: Readonly<Record<string, Builtin>> = {
  // The reference packs bool as uint8 and so prints 0 and 1.
  bool: { read: (r) => r.u8(), write: (v, w) => w.u8(asUint32(v)), cost: SMALL_VALUE_COST },
  int8: { read: (r) => r.i8(), write: (v, w) => w.i8(asInt32(v)), cost: SMALL_VALUE_COST },
  uint8: { read: (r) => r.u8(), write: (v, w) => w.u8(asUint32(v)), cost: SMALL_VALUE_COST },
  int16: { read: (r) => r.i16(), write: (v, w) => w.i16(asInt32(v)), cost: SMALL_VALUE_COST },
  uint16: { read: (r) => r.u16(), write: (v, w) => w.u16(asUint32(v)), cost: SMALL_VALUE_COST },
  int32: {
    read: (r) => integerToJson(r.i32()),
    write: (v, w) => w.i32(asInt32(v)),
    cost: SMALL_VALUE_COST,
  },
  uint32: { read: (r) => r.u32(), write: (v, w) => w.u32(asUint32(v)), cost: SMALL_VALUE_COST },
  int64: { read: (r) => integerToJson(r.i64()), write: (v, w) => w.i64(asInt64(v)) },
  uint64: {
    read: (r) => {
      if (r.remaining() < 8) return integerToJson(r.u64())
      const low = r.u32()
      return uint64HalvesToJson(low, r.u32())
    },
    write: (v, w) => w.u64(asUint64(v)),
  },
  int128: {
    read: (r) => r.i128().toString(),
    write: (v, w) => w.i128(wideInteger(v, 'int128_t')),
    cost: WIDE_VALUE_COST,
  },
  uint128: {
    read: (r) => r.u128().toString(),
    write: (v, w) => w.u128(wideInteger(v, 'uint128_t')),
    cost: WIDE_VALUE_COST,
  },
  varint32: { read: (r) => integerToJson(r.varint32()), write: (v, w) => w.varint32(asInt32(v)) },
  varuint32: { read: (r) => r.varuint32(), write: (v, w) => w.varuint32(asUint32(v)) },
}
