import { assemble, i32 } from '../../engine/vm/assembler.ts'

/** The account that has the contract. */
export const GROWER = 'grower'

/** Pages that are given back and taken again, and how often that is unrolled within the loop. */
const PAGES = 500
const TIMES = 10

const grow = (pages: number): number[] => [0x41, ...i32(pages), 0x40, 0, 0x1a]

/** A contract whose memory grows and shrinks for as long as it may run. */
export function growingMemory(): Uint8Array {
  const step = [...grow(PAGES), ...grow(-PAGES)]
  const body = Array.from({ length: TIMES }, () => step).flat()
  return assemble({
    memory: { initial: 1 },
    functions: [{ type: 0, code: [0x03, 0x40, ...body, 0x0c, 0, 0x0b] }],
  })
}
