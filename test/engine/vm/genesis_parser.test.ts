import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { ChainError } from '../../../src/engine/errors.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { F32, I32, I64, assemble, i32, u32 } from './assembler.ts'
import type { TestModule } from './assembler.ts'
import { expectError } from './support.ts'

const runtime = new WasmRuntime()
const set = (code: Uint8Array, speculative = false): void =>
  runtime.validate(code, { config: undefined, speculative }, () => true)

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const bytes = (...parts: (number | number[])[]): Uint8Array => new Uint8Array(parts.flat())
const section = (id: number, ...body: number[]): number[] => [id, ...u32(body.length), ...body]

/** A module with `apply` and one more function of this code, which takes and gives an i32. */
const withCode = (code: number[], more: TestModule = {}): Uint8Array =>
  assemble({
    types: [
      [[I64, I64, I64], []],
      [[I32], [I32]],
    ],
    functions: [
      { type: 1, code },
      { type: 0, code: [] },
    ],
    ...more,
  })

describe('the parser before limits could be configured', () => {
  const FORMS: [string, Uint8Array, string][] = [
    ['no bytes', bytes(), 'expected data but found end of stream'],
    ['another magic', bytes([...'hello'].map((c) => c.charCodeAt(0))), 'magic number: loaded 1819043176 but was expecting 1836278016'], // oxfmt-ignore
    ['another version', bytes(HEADER.slice(0, 4), 2, 0, 0, 0), 'version: loaded 2 but was expecting 1'], // oxfmt-ignore
    ['an invalid section', bytes(HEADER, 255), 'unknown section ID'],
    ['a section twice', bytes(HEADER, section(1, 0), section(1, 0)), 'incorrect order for known section'], // oxfmt-ignore
    ['a section that is too long', bytes(HEADER, 1, 9, 0), 'expected data but found end of stream'],
    ['bytes after a section', bytes(HEADER, section(1, 0, 0)), 'section contained more data than expected'], // oxfmt-ignore
    ['an invalid type', bytes(HEADER, section(1, 1, 0x61)), 'function type tag: loaded 97 but was expecting 96'], // oxfmt-ignore
    ['an invalid value type', bytes(HEADER, section(1, 1, 0x60, 1, 0x7b, 0)), 'invalid value type (5)'], // oxfmt-ignore
    ['an invalid result type', bytes(HEADER, section(1, 1, 0x60, 0, 1, 0x40)), 'invalid return type (64)'], // oxfmt-ignore
    ['a long number', bytes(HEADER, section(1, 0x80, 0x80, 0x80, 0x80, 0x10)), 'Invalid unsigned LEB encoding: unused bits in final byte must be 0'], // oxfmt-ignore
    ['too many types', bytes(HEADER, section(1, ...u32(8193))), 'Trying to deserialize array of size : 8193, which is over by 1 bytes'], // oxfmt-ignore
    ['a name that is not UTF-8', bytes(HEADER, section(0, 1, 0xc0)), 'invalid UTF-8 encoding'],
    ['a large user section', bytes(HEADER, section(0, 0, ...new Array<number>(65536).fill(0))), 'Trying to deserialize bytes of size : 65536'], // oxfmt-ignore
    ['a function without a type', bytes(HEADER, section(3, 1, 0)), 'invalid function type index'],
    ['too many functions', bytes(HEADER, section(3, ...u32(1024))), 'Too many function defs'],
    ['an import of no kind', bytes(HEADER, section(2, 1, 0, 0, 9)), 'invalid ObjectKind'],
    ['no bodies', bytes(HEADER, section(1, 1, 0x60, 0, 0), section(3, 1, 0), section(10, 0)), 'function and code sections have mismatched function counts'], // oxfmt-ignore
    ['a table of no kind', bytes(HEADER, section(4, 1, 0x6f, 0, 1)), 'invalid table element type (111)'], // oxfmt-ignore
    ['two tables', bytes(HEADER, section(4, 2, 0x70, 0, 1, 0x70, 0, 1)), 'too many tables: module.tables.size()>1'], // oxfmt-ignore
    ['a memory with wrong bounds', bytes(HEADER, section(5, 1, 1, 2, 1)), 'disjoint size bounds: size.min>max'], // oxfmt-ignore
    ['an export of nothing', bytes(HEADER, section(7, 1, 0, 0, 3)), 'invalid index: exportIt.index>=module.functions.size()'], // oxfmt-ignore
    ['a start of nothing', bytes(HEADER, section(8, 3)), 'invalid index: module.startFunctionIndex>=module.functions.size()'], // oxfmt-ignore
    ['data without memory', bytes(HEADER, section(11, 1, 0, 0x41, 0, 0x0b, 0)), 'invalid index: dataSegment.memoryIndex>=module.memories.size()'], // oxfmt-ignore
    ['an invalid initializer', bytes(HEADER, section(6, 1, I32, 0, 0x20)), 'invalid initializer expression opcode'], // oxfmt-ignore
    ['an initializer without end', bytes(HEADER, section(6, 1, I32, 0, 0x41, 0, 0)), 'expected end opcode: loaded 0 but was expecting 11'], // oxfmt-ignore
    ['an initializer of another type', bytes(HEADER, section(6, 1, I64, 0, 0x41, 0, 0x0b)), 'type mismatch: expected in global initializer expression'], // oxfmt-ignore
  ]
  for (const [name, code, text] of FORMS) {
    it(`refuses ${name}`, () => expectError(() => set(code), 'wasm_serialization_error', text))
  }

  const BODIES: [string, number[], string][] = [
    ['an invalid opcode', [0x06], 'unknown opcode'],
    ['an opcode of two bytes', [0xfc, 0x00], 'unknown opcode'],
    ['an operand too few', [0x6a], 'invalid stack access'],
    ['an operand of another type', [0x42, 0, 0x45], 'type mismatch'],
    ['an operand too many', [0x41, 1, 0x41, 2], 'stack was not empty at end of control structure: stack.size() > controlStack.back().outerStackSize'], // oxfmt-ignore
    ['a branch too far', [0x0c, 9], 'invalid index: depth>=controlStack.size()'],
    ['a local that is not there', [0x20, 9], 'invalid index: localIndex>=locals.size()'],
    ['a global that is not there', [0x23, 9], 'invalid index: globalIndex>=module.globals.size()'],
    ['a call of nothing', [0x10, 9], 'invalid index: functionIndex>=module.functions.size()'],
    ['a call without a table', [0x41, 0, 0x11, 0, 0], 'call_indirect is only valid if there is a default function table: module.tables.size()==0'], // oxfmt-ignore
    ['a load without memory', [0x41, 0, 0x28, 2, 0], 'load or store in module without default memory: module.memories.size()==0'], // oxfmt-ignore
    ['a load aligned too much', [0x41, 0, 0x28, 3, 0], 'load or store alignment greater than natural alignment: imm.alignmentLog2>naturalAlignmentLog2'], // oxfmt-ignore
    ['memory.size without memory', [0x3f, 0], 'current_memory and grow_memory are only valid if there is a default memorymodule.memories.size() == 0'], // oxfmt-ignore
    ['an else without if', [0x02, 0x40, 0x05, 0x0b], 'else only allowed in if context: isElse'],
    ['an if that may yield nothing', [0x41, 0, 0x04, I32, 0x41, 1, 0x0b], 'else-less if may not yield a result'], // oxfmt-ignore
    ['a block of no type', [0x02, 0x3f, 0x0b], 'invalid return type (193)'],
    ['no end', [0x41, 0, 0x02, 0x40], 'end of code reached before end of function'],
    ['an operation after the end', [0x41, 0, 0x0b, 0x1a], 'control stack empty'],
  ]
  for (const [name, code, text] of BODIES) {
    it(`refuses a body with ${name}`, () =>
      expectError(() => set(withCode(code)), 'wasm_serialization_error', text))
  }

  it('counts locals as four bytes, and sets', () => {
    const module = (locals: [number, number][]): Uint8Array =>
      assemble({ functions: [{ type: 0, locals, code: [] }] })
    set(module([[2042, I32]]))
    set(module([[1021, I64]]))
    const refused = (locals: [number, number][], text: string): void =>
      expectError(() => set(module(locals)), 'wasm_serialization_error', text)
    refused([[2049, F32]], 'too many locals')
    refused(new Array<[number, number]>(1024).fill([0, I32]), 'too many local sets')
    const stack = 'function has more than 8192 bytes of stack usage'
    expectError(() => set(module([[1022, I64]])), 'wasm_execution_error', stack)
  })

  it('reads the index of a local that has two bytes', () => {
    const types: TestModule['types'] = [
      [[I64, I64, I64], []],
      [[I32], [I32]],
    ]
    // The parameter and 127 more are of 32 bits; the local 128 has 64.
    const locals: [number, number][] = [
      [127, I32],
      [1, I64],
    ]
    for (const write of [0x21, 0x22]) {
      const written = [0x42, 0, write, 0x80, 1, ...(write === 0x22 ? [0x1a] : [])]
      // Instructions before the last ones of a body are read in another way.
      const padding = new Array<number>(32).fill(0x01)
      const code = [...written, 0x20, 0x80, 1, 0xa7, ...padding]
      const functions = [
        { type: 1, locals, code },
        { type: 0, code: [] },
      ]
      set(assemble({ types, functions }))
    }
  })

  it('lets unreachable code take what it likes', () => {
    set(withCode([0x00, 0x6a]))
    set(withCode([0x20, 0, 0x0f, 0x1b]))
  })

  it('takes imports that the second parser refuses', () => {
    const imported = bytes(HEADER, section(2, 1, 0, 0, 2, 0, 1))
    expectError(() => set(imported), 'wasm_execution_error', 'apply function not exported')
  })

  describe('the count of nested structures', () => {
    const text = 'Nested depth exceeded'
    const nested = (n: number): Uint8Array =>
      withCode([...new Array<number[]>(n).fill([0x02, 0x40]), ...new Array<number>(n).fill(0x0b), ...i32(0)].flat().toSpliced(3 * n, 0, 0x41)) // oxfmt-ignore
    const elses = (n: number): Uint8Array =>
      withCode([...new Array<number[]>(n).fill([0x41, 0, 0x04, 0x40, 0x05, 0x0b]), [0x41, 0]].flat()) // oxfmt-ignore

    it('is limited where this node decides', () => {
      set(nested(1022), true)
      expectError(() => set(nested(1023 + 1), true), 'wasm_execution_error', text)
      set(nested(1024))
    })

    it('grows with every else', () => {
      set(elses(1021), true)
      expectError(() => set(elses(1023), true), 'wasm_execution_error', text)
      set(elses(1023))
    })
  })

  it('survives any change of a contract, with an error of the chain', () => {
    const probe = readFileSync(new URL('../../fixtures/probe/boot.wasm', import.meta.url))
    set(probe)
    const change = fc.record({ at: fc.nat(probe.length - 1), value: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const code = new Uint8Array(probe)
        for (const { at, value } of changes) code[at] = value
        try {
          set(code, true)
        } catch (error) {
          expect(error).instanceOf(ChainError)
        }
      }),
      { numRuns: 100, seed: 7 },
    )
  })
})
