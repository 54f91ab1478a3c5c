import { check } from '../errors.ts'
import { fromHex, toHex } from '../protocol/hex.ts'
import type { Builtin } from './abi_path.ts'
import { SLOW_VALUE_COST, WIDE_VALUE_COST } from './conversion_budget.ts'
import { doubleToText } from './number_text.ts'
import { asDouble, asString } from './lenient_json.ts'

const scratch = new DataView(new ArrayBuffer(8))

/** Not-a-number keeps its sign in print, which arithmetic here may drop. */
function signedText(value: number, high_word: number): string {
  const text = doubleToText(value)
  return text === 'nan' && high_word >>> 31 ? '-nan' : text
}

/** Floating point types. spring: libraries/chain/include/eosio/chain/database_utils.hpp */
export const FLOAT_TYPES: Readonly<Record<string, Builtin>> = {
  float32: {
    read: (r) => {
      const bits = r.u32()
      scratch.setUint32(0, bits)
      return signedText(scratch.getFloat32(0), bits)
    },
    write: (v, w) => w.f32(asDouble(v)),
    cost: SLOW_VALUE_COST,
  },
  float64: {
    read: (r) => {
      const bytes = r.bytes(8)
      for (let i = 0; i < 8; i++) scratch.setUint8(7 - i, bytes[i]!)
      return signedText(scratch.getFloat64(0), scratch.getUint32(0))
    },
    write: (v, w) => w.f64(asDouble(v)),
    cost: SLOW_VALUE_COST,
  },
  float128: {
    read: (r) => `0x${toHex(r.bytes(16))}`,
    write: (v, w) => {
      const text = asString(v)
      check(
        text.length === 34 && text.startsWith('0x'),
        'assert_exception',
        's.size() == 2 + 2 * sizeof(temp) && s.find("0x") == 0: Failure in converting hex data into a float128_t',
      )
      w.raw(fromHex(text.slice(2)))
    },
    cost: WIDE_VALUE_COST,
  },
}
