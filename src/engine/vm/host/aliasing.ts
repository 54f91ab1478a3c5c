import { refuse } from '../refuse.ts'

/** A range of memory: pointer and length as they come from a contract. */
export type Range = readonly [ptr: number, length: number]

/**
 * The newer functions refuse ranges that share a byte (spring: preconditions.hpp is_aliasing).
 * @throws ChainError wasm_exception
 */
export function checkAliasing(...ranges: Range[]): void {
  for (let i = 0; i < ranges.length; i++) {
    for (let j = i + 1; j < ranges.length; j++) {
      if (overlap(ranges[i]!, ranges[j]!)) {
        refuse('wasm_exception', 'pointers not allowed to alias')
      }
    }
  }
}

function overlap(a: Range, b: Range): boolean {
  let [a_begin, a_end] = [a[0] >>> 0, (a[0] >>> 0) + (a[1] >>> 0)]
  let [b_begin, b_end] = [b[0] >>> 0, (b[0] >>> 0) + (b[1] >>> 0)]
  if (a_begin > b_begin) {
    ;[a_begin, b_begin, a_end, b_end] = [b_begin, a_begin, b_end, a_end]
  }
  return a_end > b_begin && Math.min(a_end, b_end) !== b_begin
}
