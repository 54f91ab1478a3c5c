import type { FuncType, ResizableLimits } from '../wasm/module.ts'

/** Bytes of a page of WASM memory. */
export const PAGE_BYTES = 65536

/** A function that a code imports. */
export interface TypedImport {
  module: string
  field: string
  type: FuncType
}

/** The facts about a parsed code: plain data, which can be sent between threads. */
export interface CodeFacts {
  imports: TypedImport[]
  memory: ResizableLimits | undefined
  /** First content of memory; zeros follow. */
  image: Uint8Array
  /** Segments are beyond the initial memory, which fails at each run. */
  data_out_of_range: boolean
  /** The reason why the well-formed code fails at each run. */
  start_error: string | undefined
  /** Nested calls that `apply` can make, at most; Infinity where it may recurse. */
  call_depth: number
  /** The module is an interpreter: it counts calls, and its memory is movable, in every form. */
  interpreted: boolean
}
