import { I32 } from '../wasm/module.ts'
import { OP } from '../wasm/opcodes.ts'
import { Emitter } from './emitter.ts'
import type { Helper } from './helper.ts'

/**
 * The elements of a table for indirect calls. A call of an empty element must fail like one beyond
 * the table (eos-vm: x86_64.hpp), but V8 does not distinguish it from a call with a wrong type. So
 * empty elements at both ends are omitted from the table, and the index of an empty element between
 * filled ones is replaced by one beyond the table.
 */
export interface TableElements {
  /** Filled elements are from `first` to before `end`. */
  first: number
  end: number
  /** Sequences of empty elements between them: the start and end of each, counted from `first`. */
  gaps: [from: number, to: number][]
}

/** The filled elements of a table and the gaps between them. */
export function tableElements(table: Int32Array | undefined): TableElements {
  const filled = table?.findIndex((element) => element !== -1) ?? 0
  const first = table !== undefined && filled < 0 ? table.length : filled
  const gaps: TableElements['gaps'] = []
  let end = first
  for (let i = first; table !== undefined && i < table.length; i++) {
    if (table[i] === -1) continue
    if (i > end) gaps.push([end - first, i - first])
    end = i + 1
  }
  return { first, end, gaps }
}

/** A function that maps the index of an element to itself, or to -1 in a gap. */
export function gapHelper(gaps: TableElements['gaps']): Helper {
  const e = new Emitter().byte(0)
  emitSearch(e, gaps)
  return { params: [I32], result: I32, body: e.byte(OP.end).view() }
}

/** Leaves -1 or the index on the stack; halves the gaps until one is left. */
function emitSearch(e: Emitter, gaps: TableElements['gaps']): void {
  const middle = gaps.length >> 1
  const [from, to] = gaps[middle]!
  e.bytes(OP.local_get, 0).byte(OP.i32_const).i32(from)
  if (gaps.length > 1) {
    e.bytes(OP.i32_lt_u, OP.if, I32)
    emitSearch(e, gaps.slice(0, middle))
    e.byte(OP.else)
    emitSearch(e, gaps.slice(middle))
  } else {
    e.bytes(OP.i32_sub, OP.i32_const)
      .i32(to - from)
      .bytes(OP.i32_lt_u, OP.if, I32)
    e.byte(OP.i32_const).i32(-1).bytes(OP.else, OP.local_get, 0)
  }
  e.byte(OP.end)
}
