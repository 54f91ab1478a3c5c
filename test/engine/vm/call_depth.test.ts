import { expect } from 'chai'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { I32, I64, assemble, i32, u32 } from './assembler.ts'
import { FakeContext } from './fake_context.ts'
import { APPLY, SELECTOR, acting, printing } from './modules.ts'
import { expectError, run } from './support.ts'

describe('call depth', () => {
  /** Recursion n deep below apply. */
  const recursion = assemble({
    types: [APPLY, [[I32], []]],
    functions: [
      {
        type: 1,
        code: [0x20, 0, 0x45, 0x04, 0x40, 0x0f, 0x0b, 0x20, 0, 0x41, 1, 0x6b, 0x10, 0],
      },
      { type: 0, code: [...SELECTOR, 0x10, 0] },
    ],
  })

  it('is refused from exactly one call too many on', () => {
    const runtime = new WasmRuntime()
    // apply calls f(n), which makes n more calls.
    run(recursion, acting(248n), runtime)
    const text = 'eos-vm system failure: stack overflow'
    expectError(() => run(recursion, acting(249n), runtime), 'wasm_execution_error', text)
    run(recursion, acting(248n), runtime)
    const deep = acting(249n)
    deep.max_call_depth = 251
    run(recursion, deep, runtime)
    const shallow = acting(3n)
    shallow.max_call_depth = 4
    expectError(() => run(recursion, shallow, runtime), 'wasm_execution_error', text)
  })

  it('counts host functions and indirect calls', () => {
    const chain = (calls: number): Uint8Array =>
      assemble({
        types: [APPLY, [[I64], []], [[], []]],
        imports: [['printi', 1]],
        table: { size: calls, elements: [[0, Array.from({ length: calls }, (_, i) => i + 1)]] },
        functions: [
          ...Array.from({ length: calls }, (_, i) => ({
            type: 2,
            code: i === calls - 1 ? [0x42, 1, 0x10, 0] : [0x41, ...i32(i + 1), 0x11, ...u32(2), 0],
          })),
          { type: 0, code: [0x10, 1] },
        ],
      })
    const limit = (max_call_depth: number): FakeContext => {
      const ctx = new FakeContext('contract')
      ctx.max_call_depth = max_call_depth
      return ctx
    }
    // apply, four functions and printi: five calls.
    expect(run(chain(4), limit(6)).console).equal('1')
    expectError(() => run(chain(4), limit(5)), 'wasm_execution_error', 'stack overflow')
  })

  it('is not counted where it cannot be exceeded', () => {
    // Two functions of which one calls the other: cheap code, and the same result.
    const code = printing([0x10, 1], {
      types: [[[], [I64]]],
      functions: [{ type: 2, code: [0x42, 4] }],
    })
    const ctx = new FakeContext('contract')
    expect(run(code, ctx).console).equal('4')
    ctx.max_call_depth = 2
    expect(run(code, ctx).console).equal('44')
    ctx.max_call_depth = 1
    expectError(() => run(code, ctx), 'wasm_execution_error', 'stack overflow')
  })
})
