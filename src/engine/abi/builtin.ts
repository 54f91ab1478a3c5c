import type { Reader } from '../protocol/reader.ts'
import type { Writer } from '../protocol/writer.ts'
import type { Json } from './json.ts'

/** A type that every ABI has: how one value is read into JSON and written from it. */
export interface Builtin {
  read: (r: Reader) => Json
  write: (value: unknown, w: Writer) => void
  /** What a value costs its request, when it is not VALUE_COST. */
  cost?: number
}
