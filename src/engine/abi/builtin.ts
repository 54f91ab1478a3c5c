import type { Reader } from '../protocol/reader.ts'
import type { Writer } from '../protocol/writer.ts'
import type { AbiContext } from './abi_path.ts'
import type { Json } from './json.ts'

/** A type that every ABI has: how one value is read into JSON and written from it. */
export interface Builtin {
  read: (r: Reader, c: AbiContext) => Json
  write: (value: unknown, w: Writer, c: AbiContext) => void
  /** What a value costs its request, when it is not VALUE_COST. */
  cost?: number
}
