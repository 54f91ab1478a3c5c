import { expect } from 'chai'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { F64, I32, I64, assemble, i32, i64, u32 } from './assembler.ts'
import type { TestModule } from './assembler.ts'
import { FakeContext } from './fake_context.ts'
import { APPLY, printing } from './modules.ts'
import { expectError, run } from './support.ts'

describe('traps', () => {
  const trap = (code: number[], text: string, more: Partial<TestModule> = {}): void => {
    const types: TestModule['types'] = [APPLY, [[], []], [[], [I32]]]
    const functions = [
      { type: 1, code: [] },
      { type: 0, code },
    ]
    const module = assemble({ types, ...more, functions })
    expectError(() => run(module), 'wasm_execution_error', text)
  }
  const violation = 'access violation: wasm memory out-of-bounds'

  it('have the texts of the reference', () => {
    trap([0x00], 'eos-vm system failure: unreachable')
    trap([0x41, 1, 0x41, 0, 0x6d, 0x1a], violation)
    trap([0x42, 1, 0x42, 0, 0x82, 0x1a], violation)
    trap([0x41, ...i32(-(2 ** 31)), 0x41, ...i32(-1), 0x6d, 0x1a], violation)
    const memory = { initial: 1 }
    trap([0x41, ...i32(65533), 0x28, 2, 0, 0x1a], violation, { memory })
    trap([0x41, ...i32(-1), 0x41, 0, 0x36, 2, ...u32(0xffffffff)], violation, { memory })
  })

  it('of indirect calls', () => {
    const table = { size: 2, elements: [[1, [0]]] as [number, number[]][] }
    trap([0x41, 2, 0x11, 1, 0], 'eos-vm system failure: call_indirect out of range', { table })
    trap(
      [0x41, 1, 0x11, 2, 0, 0x1a],
      'eos-vm system failure: call_indirect incorrect function type',
      {
        table,
      },
    )
    // An empty element before all others is as if it were outside; so is a whole empty table.
    const beyond = 'eos-vm system failure: call_indirect out of range'
    trap([0x41, 0, 0x11, 1, 0], beyond, { table })
    trap([0x41, 0, 0x11, 1, 0], beyond, { table: { size: 3 } })
    trap([0x41, ...i32(-1), 0x11, 1, 0], beyond, { table })
    // So is one behind all others, or between them; those around it are called.
    const gaps = {
      size: 12,
      elements: [
        [2, [0]],
        [4, [0, 0]],
        [8, [0]],
      ] as [number, number[]][],
    }
    const type = 'eos-vm system failure: call_indirect incorrect function type'
    for (let i = -2; i < 14; i++) {
      const filled = [2, 4, 5, 8].includes(i)
      trap([0x41, ...i32(i), 0x11, 2, 0, 0x1a], filled ? type : beyond, { table: gaps })
      const called = 'eos-vm system failure: unreachable'
      trap([0x41, ...i32(i), 0x11, 1, 0, 0x00], filled ? called : beyond, { table: gaps })
    }
    const outside = { size: 1, elements: [[1, [0]]] as [number, number[]][] }
    trap([], 'eos-vm system failure: elem out of range', { table: outside })
  })

  it('happen where a truncated float does not fit the integer', () => {
    const f64 = (value: number): number[] => {
      const bytes = new Uint8Array(new Float64Array([value]).buffer)
      return [0x44, ...bytes]
    }
    const text = (what: string): string => `eos-vm system failure: Error, ${what}`
    trap([...f64(2 ** 31), 0xaa, 0x1a], text('f64.convert_s/i32 overflow'))
    trap([...f64(NaN), 0xaa, 0x1a], text('f64.convert_s/i32 unrepresentable'))
    // The standard would round these two to numbers that fit; the reference refuses them.
    trap([...f64(-(2 ** 31) - 0.5), 0xaa, 0x1a], text('f64.convert_s/i32 overflow'))
    trap([...f64(-1), 0xab, 0x1a], text('f64.convert_u/i32 overflow'))
    trap([...f64(2 ** 64), 0xb1, 0x1a], text('f64.convert_u/i64 overflow'))
  })

  it('do not happen for the remainder of the least number by -1', () => {
    const code = printing([0x42, ...i64(-(2n ** 63n)), 0x42, ...i64(-1), 0x81])
    expect(run(code).console).equal('0')
  })
})

describe('code that only the reference would accept', () => {
  it('may have any operands after a branch', () => {
    // i32 + f64 after unreachable would be refused by the standard's own rules for numbers.
    const code = printing([0x02, 0x40, 0x0c, 0, 0x02, 0x40, 0x0b, 0x1a, 0x1a, 0x0b, 0x42, 6])
    const ctx = new FakeContext('contract')
    new WasmRuntime().validate(code, { config: undefined, speculative: false }, () => true)
    expect(run(code, ctx).console).equal('6')
  })

  it('keeps what follows dead code alive', () => {
    const code = printing([
      0x41, 0, 0x04, I64, 0x00, 0x05, 0x42, 3, 0x0b, 0x10, 0,
      0x02, 0x40, 0x41, 1, 0x0d, 0, 0x0f, 0x0b, 0x42, 4,
    ]) // oxfmt-ignore
    expect(run(code).console).equal('34')
  })

  it('may declare locals of which there are none', () => {
    const code = assemble({ functions: [{ type: 0, locals: [[0, 0x33], [2, F64]], code: [0x20, 3, 0x1a] }] }) // oxfmt-ignore
    new WasmRuntime().validate(code, { config: undefined, speculative: false }, () => true)
    run(code)
  })
})
