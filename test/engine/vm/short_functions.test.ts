import { expect } from 'chai'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { prepareCode } from '../../../src/engine/vm/preparation/prepared_code.ts'
import { F64, I32, I64 } from './assembler.ts'
import type { TestFunction, TestModule } from './assembler.ts'
import { printing } from './modules.ts'
import { expectError, run } from './support.ts'

const [END_OF_PAGE, OFFSET] = [[0x41, 0x80, 0x80, 0x04], 8]
const get = (i: number): number[] => [0x20, i]

/** A code whose function 1 has this type and body; `apply` is 2 and prints an i64. */
function calling(
  type: [number[], number[]],
  body: number[],
  apply: number[],
  more: Partial<TestFunction> = {},
): Uint8Array {
  const own: TestModule = {
    types: [type],
    functions: [{ type: 2, code: body, ...more }],
    memory: { initial: 1 },
    globals: [[I64, true, [0x42, 7]]],
    exports: [['apply', 0, 2]],
  }
  return printing(apply, own)
}

const called = 1
const call = [0x10, called]

function instructionsOf(code: Uint8Array): number {
  const task = { code_hash: sha256(code), getCode: () => code, max_call_depth: 250 }
  const prepared = prepareCode({ ...task, movable_memory: false })
  if ('format' in prepared) throw new Error('refused')
  return prepared.bytes.length
}

describe('functions of at most one instruction', () => {
  const cases: [string, [number[], number[]], number[], number[], string][] = [
    ['nothing', [[], []], [], [...call, 0x42, 5], '5'],
    ['the parameter', [[I64], [I64]], get(0), [0x42, 6, ...call], '6'],
    ['the first of two', [[I64, I64], [I64]], [...get(0), ...get(1), 0x1a], [0x42, 1, 0x42, 2, ...call], '1'],
    ['a constant', [[], [I64]], [0x42, 9], call, '9'],
    ['a global', [[], [I64]], [0x23, 0], call, '7'],
    ['a new global', [[I64], []], [...get(0), 0x24, 0], [0x42, 8, ...call, 0x23, 0], '8'],
    ['a difference', [[I64, I64], [I64]], [...get(0), ...get(1), 0x7d], [0x42, 9, 0x42, 2, ...call], '7'],
    ['a selection', [[I64, I64, I32], [I64]], [...get(0), ...get(1), ...get(2), 0x1b], [0x42, 1, 0x42, 2, 0x41, 0, ...call], '2'],
    ['a row', [[I32, I64], []], [...get(0), ...get(1), 0x37, 3, OFFSET], [0x41, 8, 0x42, 3, ...call, 0x41, 16, 0x29, 3, 0], '3'],
    ['its parameters in another order', [[I64, I64], [I64]], [...get(1), ...get(0), 0x7d], [0x42, 9, 0x42, 2, ...call], '-7'],
    ['a quotient', [[I64, I64], [I64]], [...get(0), ...get(1), 0x7f], [0x42, 9, 0x42, 2, ...call], '4'],
    ['a sum of floats', [[F64, F64], [F64]], [...get(0), ...get(1), 0xa0], [0x42, 1, 0xb9, 0x42, 2, 0xb9, ...call, 0xb0], '3'],
    ['two things', [[I64], [I64]], [...get(0), 0x50, 0xad], [0x42, 0, ...call], '1'],
  ] // prettier-ignore

  for (const [name, type, body, apply, printed] of cases) {
    it(`give what a call gives: ${name}`, () => {
      expect(run(calling(type, body, apply)).console).equal(printed)
    })
  }

  it('fail as a call does', () => {
    const load = calling([[I32], [I64]], [...get(0), 0x29, 3, 0], [...END_OF_PAGE, ...call])
    expectError(() => run(load), 'wasm_execution_error', 'access violation')
  })

  it('are not called, and those with locals are', () => {
    const calls = Array.from({ length: 100 }, () => call).flat()
    const of = (locals: [number, number][]): number =>
      instructionsOf(calling([[], []], [], [...calls, 0x42, 5], { locals }))
    expect(of([[1, I32]]) - of([])).at.least(200)
  })
})
