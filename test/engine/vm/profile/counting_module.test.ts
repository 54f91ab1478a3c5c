import { expect } from 'chai'
import { CallTree } from '../../../../src/engine/vm/profile/call_tree.ts'
import { ENTER, LEAVE, countingModule } from '../../../../src/engine/vm/profile/counting_module.ts'
import { functionNames } from '../../../../src/engine/vm/profile/function_names.ts'
import { webAssembly } from '../../../../src/engine/vm/web_assembly.ts'
import { I32, I64, assemble, i32 } from '../assembler.ts'
import type { TestFunction } from '../assembler.ts'

const GET = (local: number) => [0x20, local]

/** Runs a function of one i32 with counters. */
function run(functions: TestFunction[], argument: number): { result: number; tree: CallTree } {
  const code = assemble({
    types: [
      [[I32], [I32]],
      [[I64, I64, I64], []],
    ],
    functions: [...functions, { type: 1, code: [] }],
    exports: [
      ['f', 0, 0],
      ['apply', 0, functions.length],
    ],
    table: { size: 3, elements: [[1, [0]]] },
  })
  const tree = new CallTree()
  tree.begin('c', 'a', functionNames(code))
  const env = {
    [ENTER]: (index: number, counter: bigint) => tree.enter(index, Number(counter)),
    [LEAVE]: (counter: bigint) => tree.leave(Number(counter)),
  }
  const module = new webAssembly.Module(countingModule(code))
  const { f } = new webAssembly.Instance(module, { env }).exports as unknown as {
    f: (argument: number) => number
  }
  return { result: f(argument), tree }
}

/** The node of the function that was called first. */
const firstOf = (tree: CallTree) => [...[...tree.root.children.values()][0]!.children.values()][0]!

describe('vm: profile: counters', () => {
  it('count what is executed in loops and branches', () => {
    // for (; n; n--) sum += n: 2 and 12 instructions a round, of which the last one is a branch.
    const loop: TestFunction = {
      type: 0,
      locals: [[1, I32]],
      code: [
        ...[0x03, 0x40, ...GET(1), ...GET(0), 0x6a, 0x21, 1],
        ...[...GET(0), 0x41, ...i32(1), 0x6b, 0x22, 0, 0x0d, 0, 0x0b, ...GET(1)],
      ],
    }
    for (const [n, sum] of [
      [1, 1],
      [4, 10],
    ] as const) {
      const { result, tree } = run([loop], n)
      expect(result).equal(sum)
      // `loop`, nine of each round, `end` and the last one.
      expect(firstOf(tree).instructions).equal(1 + 9 * n + 2)
    }
  })

  it('see each way out of a function', () => {
    // if (n === 0) return 7; block { if (n === 1) leave the function with 8 }; call itself with n - 1
    const code = [
      ...[...GET(0), 0x45, 0x04, 0x40, 0x41, ...i32(7), 0x0f, 0x0b],
      ...[0x02, 0x40, 0x41, ...i32(8), ...GET(0), 0x41, ...i32(1), 0x46, 0x0d, 1, 0x1a, 0x0b],
      ...[...GET(0), 0x41, ...i32(1), 0x6b, 0x10, 0],
    ]
    for (const [n, expected] of [
      [0, 7],
      [1, 8],
      [5, 8],
    ] as const) {
      const { result, tree } = run([{ type: 0, code }], n)
      expect(result).equal(expected)
      let depth = 0
      for (let at = firstOf(tree); ; at = [...at.children.values()][0]!) {
        expect(at.calls).equal(1)
        depth += 1
        if (at.children.size === 0) break
      }
      expect(depth).equal(Math.max(1, n))
    }
  })

  it('follow calls through the table, and tables of branches', () => {
    // call_indirect(1)(n - 1) while n > 0, through br_table
    const code = [
      ...[0x02, 0x40, 0x02, 0x40, ...GET(0), 0x0e, 1, 0, 1, 0x0b, 0x41, ...i32(3), 0x0f, 0x0b],
      ...[...GET(0), 0x41, ...i32(1), 0x6b, 0x41, ...i32(1), 0x11, 0, 0],
    ]
    const { result, tree } = run([{ type: 0, code }], 2)
    expect(result).equal(3)
    expect(tree.executed).greaterThan(10)
  })

  it('names functions by the name section, which may be malformed, and by exports', () => {
    const code = assemble({ functions: [{ type: 0, code: [] }] })
    expect([...functionNames(code)]).deep.equal([[0, 'apply']])
    const text = (value: string) => [value.length, ...Buffer.from(value)]
    const section = (names: number[]) =>
      Uint8Array.from([...code, 0, text('name').length + names.length, ...text('name'), ...names])
    const names = [1, 0, ...text('token::run')]
    expect([...functionNames(section([1, names.length, ...names]))]).deep.equal([[0, 'token::run']])
    const cut = section([1, names.length, ...names.slice(0, -2), 90, 90])
    expect(functionNames(cut).size).equal(1)
    expect([...functionNames(section([1, 200, ...names]))]).deep.equal([[0, 'apply']])
  })
})
