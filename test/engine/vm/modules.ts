/** Small modules and contexts that several tests of runs share. */
import { I64, assemble } from './assembler.ts'
import type { TestModule } from './assembler.ts'
import { FakeContext } from './fake_context.ts'

/** The type of apply. */
export const APPLY: [number[], number[]] = [[I64, I64, I64], []]
/** The action's name as i32, which tells the modules below what to do. */
export const SELECTOR = [0x20, 2, 0xa7]

/** printi of what `code` leaves, an i64. */
export function printing(code: number[], more: Partial<TestModule> = {}): Uint8Array {
  return assemble({
    ...more,
    types: [APPLY, [[I64], []], ...(more.types ?? [])],
    imports: [['printi', 1]],
    functions: [...(more.functions ?? []), { type: 0, code: [...code, 0x10, 0] }],
  })
}

/** A context whose action has this name. */
export function acting(action: bigint): FakeContext {
  const ctx = new FakeContext('contract')
  ctx.act = { ...ctx.act, name: action }
  return ctx
}
