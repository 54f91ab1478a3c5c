import { expect } from 'chai'
import { chooseTier } from '../../../src/engine/vm/instrument/tier.ts'
import { LocalPreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import { parseModule } from '../../../src/engine/vm/wasm/parse_module.ts'
import { APPLY_OPTIONS } from '../../../src/engine/vm/wasm/parse_options.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { CODE_SHAPES } from '../../support/code_shapes.ts'
import { F64, I32, I64, i64, u32 } from './assembler.ts'
import { FakeContext } from './fake_context.ts'
import { printing } from './modules.ts'
import { run } from './support.ts'

const TIERS = ['optimizing', 'baseline', 'interpreted'] as const
const repeat = (n: number, code: number[]): number[] => Array.from({ length: n }, () => code).flat()
const tierOf = (code: Uint8Array): string => chooseTier(parseModule(code, APPLY_OPTIONS))

/** Runs in the tier of its own, and in the interpreter, and expects this to be printed. */
function expectPrinted(code: Uint8Array, text: string): void {
  for (const tier of [undefined, 'interpreted'] as const) {
    const ctx = run(
      code,
      new FakeContext('contract'),
      new WasmRuntime({ preparer: new LocalPreparer(undefined, tier) }),
    )
    expect(ctx.console, tier).to.equal(text)
  }
}

/** Nested loops of which the innermost assigns all locals, in groups. */
function nestedLoops(groups: number, depth: number, locals: number): Uint8Array {
  const sets = Array.from({ length: locals }, (_, i) => [
    0x20, ...u32(i), 0x42, 1, 0x7c, 0x21, ...u32(i),
  ]).flat() // oxfmt-ignore
  const group = [...repeat(depth, [0x03, 0x40]), ...sets, ...repeat(depth, [0x0b])]
  return printing([0x10, 1], {
    types: [[[], [I64]]],
    functions: [{ type: 2, locals: [[locals, I64]], code: [...repeat(groups, group), 0x20, 0] }],
  })
}

/** `apply` with so many constants of eight bytes that are dropped: long, of few instructions. */
function longBody(constants: number): Uint8Array {
  const dropped = [0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a]
  const size = constants * dropped.length
  const body = [...u32(size + 2), 0]
  const section = [0x0a, ...u32(1 + body.length + size + 1), 1, ...body]
  const before = [
    0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    1, 7, 1, 0x60, 3, I64, I64, I64, 0,
    3, 2, 1, 0,
    7, 9, 1, 5, ...Buffer.from('apply'), 0, 0,
    ...section,
  ] // oxfmt-ignore
  const code = new Uint8Array(before.length + size + 1)
  code.set(before)
  for (let i = 0; i < constants; i++) code.set(dropped, before.length + i * dropped.length)
  code[code.length - 1] = 0x0b
  return code
}

describe('the tier of a code', () => {
  it('is optimizing for what is usual', () => {
    expect(tierOf(printing([0x42, 1]))).to.equal('optimizing')
    expect(tierOf(nestedLoops(1, 10, 10))).to.equal('optimizing')
  })

  it('is baseline where the optimizing compiler would take too much for a function', () => {
    const code = nestedLoops(2, 500, 10)
    expect(tierOf(code)).to.equal('baseline')
    expectPrinted(code, '2')
  })

  it('is baseline where all locals at all branches would take too much', () => {
    expect(tierOf(CODE_SHAPES.br_tables_with_locals!())).to.equal('baseline')
  })

  it('is interpreted where the baseline compiler would', () => {
    const code = nestedLoops(5, 1000, 1000)
    expect(tierOf(code)).to.equal('interpreted')
    expectPrinted(code, '5')
  })

  it('is interpreted where a function has more parameters than V8 takes', () => {
    const parameters = Array<number>(1001).fill(I32)
    const code = printing([...repeat(1001, [0x41, 7]), 0x10, 1], {
      types: [[parameters, [I64]]],
      functions: [{ type: 2, code: [0x20, ...u32(1000), 0x20, 0, 0x6a, 0xac] }],
    })
    expect(tierOf(code)).to.equal('interpreted')
    expectPrinted(code, '14')
  })

  it('is interpreted where a type has, that only an indirect call uses', () => {
    const parameters = Array<number>(2000).fill(I32)
    const call = [...repeat(2000, [0x41, 1]), 0x41, 0, 0x11, 2, 0]
    const code = printing(call, {
      types: [[parameters, [I64]]],
      functions: [{ type: 2, code: [0x20, ...u32(1999), 0xac] }],
      table: { size: 1, elements: [[0, [1]]] },
    })
    expect(tierOf(code)).to.equal('interpreted')
    expectPrinted(code, '1')
  })

  it('is interpreted where a table of branches is longer than V8 takes', () => {
    const table = (index: number): Uint8Array => {
      const targets = Array.from({ length: 65_600 }, (_, i) => (i === 65_599 ? 1 : 0))
      const code = [
        0x02, 0x40, 0x02, 0x40, 0x41, ...i64(index), 0x0e, ...u32(65_599), ...targets.slice(0, 65_599),
        1, 0x0b, 0x42, 1, 0x0f, 0x0b, 0x42, 2,
      ] // oxfmt-ignore
      return printing([0x10, 1], { types: [[[], [I64]]], functions: [{ type: 2, code }] })
    }
    expect(tierOf(table(0))).to.equal('interpreted')
    expectPrinted(table(65_598), '1')
    expectPrinted(table(65_599), '2')
    expectPrinted(table(-1), '2')
  })

  it('is interpreted where there are more locals than V8 takes', () => {
    const code = printing([0x10, 1], {
      types: [[[], [I64]]],
      functions: [{ type: 2, locals: [[60_000, F64]], code: [0x20, ...u32(59_999), 0xbd] }],
    })
    expect(tierOf(code)).to.equal('interpreted')
    expectPrinted(code, '0')
  })

  it('is interpreted where a body is longer than V8 takes', () => {
    const code = longBody(770_000)
    expect(tierOf(code)).to.equal('interpreted')
    expect(() => run(code)).not.to.throw()
  })
})

describe('every tier', () => {
  for (const tier of TIERS) {
    it(`begins each run with the first globals and memory: ${tier}`, () => {
      const code = printing(
        [0x23, 0, 0x42, 1, 0x7c, 0x24, 0, 0x41, 8, 0x23, 0, 0x37, 3, 0, 0x41, 8, 0x29, 3, 0],
        { globals: [[I64, true, [0x42, 41]]], memory: { initial: 1 } },
      )
      const runtime = new WasmRuntime({ preparer: new LocalPreparer(undefined, tier) })
      for (let i = 0; i < 3; i++) {
        expect(run(code, new FakeContext('contract'), runtime).console).to.equal('42')
      }
    })
  }
})
