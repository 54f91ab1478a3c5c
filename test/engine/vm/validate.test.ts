import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import * as fc from 'fast-check'
import { ChainError } from '../../../src/engine/errors.ts'
import type { ErrorName } from '../../../src/engine/errors.ts'
import { DEFAULT_WASM_CONFIG } from '../../../src/engine/protocol/config.ts'
import type { WasmConfig } from '../../../src/engine/protocol/config.ts'
import { HOST_FUNCTIONS } from '../../../src/engine/vm/host/table.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { F32, F64, I32, I64, assemble, u32 } from './assembler.ts'
import type { TestModule } from './assembler.ts'
import { expectError } from './support.ts'
import { FakeContext } from './fake_context.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'

const runtime = new WasmRuntime()
const all = (): boolean => true
const DEFAULT_RULES = { config: DEFAULT_WASM_CONFIG, speculative: false }
const OLD_RULES = { config: undefined, speculative: false }
const APPLY: [number[], number[]] = [[I64, I64, I64], []]
const EMPTY = { type: 0, code: [] }

function refuses(m: TestModule | Uint8Array, text: string, config = DEFAULT_WASM_CONFIG): void {
  const code = m instanceof Uint8Array ? m : assemble(m)
  expectError(
    () => runtime.validate(code, { config, speculative: false }, all),
    'wasm_serialization_error',
    text,
  )
}

function accepts(m: TestModule, config: WasmConfig | 'old' = DEFAULT_WASM_CONFIG): void {
  runtime.validate(assemble(m), config === 'old' ? OLD_RULES : { config, speculative: false }, all)
}

describe('validation of a contract', () => {
  it('wants apply, exported with its type', () => {
    accepts({ functions: [EMPTY] })
    refuses({ functions: [EMPTY], exports: [['appl', 0, 0]] }, 'apply not exported')
    refuses({ types: [[[I64, I64], []]], functions: [EMPTY] }, 'apply has wrong type')
    const memory = { initial: 0 }
    refuses({ functions: [EMPTY], memory, exports: [['apply', 2, 0]] }, 'apply not exported')
  })

  it('links known functions of the right type that are whitelisted', () => {
    const importing = (field: string, params: number[], results: number[]): TestModule => ({
      types: [APPLY, [params, results]],
      imports: [[field, 1]],
      functions: [EMPTY],
    })
    accepts(importing('printi', [I64], []))
    refuses(importing('printi', [I32], []), 'wrong type for imported function printi')
    refuses(importing('printi', [I64], [I32]), 'wrong type for imported function printi')
    refuses(importing('printx', [I64], []), 'no mapping for imported function printx')
    const code = assemble(importing('get_sender', [], [I64]))
    const without = (name: string): boolean => name !== 'get_sender'
    expectError(
      () => runtime.validate(code, DEFAULT_RULES, without),
      'wasm_serialization_error',
      'env.get_sender unresolveable',
    )
  })

  it('keeps the limits of the config', () => {
    const config = { ...DEFAULT_WASM_CONFIG }
    refuses({ functions: [EMPTY], memory: { initial: 529 } }, 'initial memory out of range')
    refuses({ functions: [EMPTY], table: { size: 1025 } }, 'table size exceeds limit')
    const globals = Array.from({ length: 129 }, (): [number, boolean, number[]] => [
      I64, true, [0x42, 0],
    ]) // oxfmt-ignore
    refuses({ functions: [EMPTY], globals }, 'mutable globals exceeded limit')
    accepts({ functions: [EMPTY], globals: globals.slice(1) })
    accepts({ functions: [EMPTY], globals: globals.map(([t, , i]) => [t, false, i]) })
    const many = Array.from({ length: 8193 }, () => EMPTY)
    refuses({ functions: many }, 'number of section elements exceeded limit')
    const memory = { initial: 2 }
    refuses({ functions: [EMPTY], memory, data: [[65535, [1, 2]]] }, 'out-of-bounds data section')
    accepts({ functions: [EMPTY], memory, data: [[65534, [1, 2]]] })
    refuses({ functions: [{ ...EMPTY, locals: [[2049, I32]] }] }, 'local variable limit exceeded')
    accepts({ functions: [{ ...EMPTY, locals: [[1024, F64]] }] })
    const long = 'x'.repeat(33)
    const strict = { ...config, max_symbol_bytes: 32, max_code_bytes: 40 }
    refuses({ functions: [EMPTY], exports: [[long, 0, 0]] }, 'name too long', strict)
    const code = { type: 0, code: Array.from({ length: 40 }, () => 1) }
    refuses({ functions: [code] }, 'Function body too large', strict)
    refuses({ functions: [EMPTY] }, 'Code too large', { ...config, max_module_bytes: 10 })
  })

  it('counts operands among the locals, and nesting', () => {
    const push = Array.from({ length: 9 }, () => [0x42, 0]).flat()
    const drop = Array.from({ length: 9 }, () => 0x1a)
    const config = { ...DEFAULT_WASM_CONFIG, max_func_local_bytes: 64 }
    refuses({ functions: [{ type: 0, code: [...push, ...drop] }] }, 'local variable limit', config)
    accepts({ functions: [{ type: 0, code: [...push.slice(2), ...drop.slice(1)] }] }, config)
    const nested = (n: number): TestModule => ({
      functions: [
        {
          type: 0,
          code: [
            ...Array.from({ length: n }, () => [2, 0x40]).flat(),
            ...Array<number>(n).fill(0x0b),
          ],
        },
      ],
    })
    accepts(nested(1023))
    refuses(nested(1024), 'nested structures validation failure')
  })

  it('refuses code that is not well-typed', () => {
    const body = (code: number[]): TestModule => ({ functions: [{ type: 0, code }] })
    refuses(body([0x41, 0]), 'unexpected end')
    refuses(body([0x42, 0, 0x45, 0x1a]), 'wrong type')
    refuses(body([0x6a, 0x1a]), 'wrong type')
    refuses(body([0x20, 3, 0x1a]), 'undefined local')
    refuses(body([0x0c, 1]), 'invalid label')
    refuses(body([0x28, 2, 0, 0x1a]), 'load requires memory')
    refuses(body([0x11, 0, 0]), 'call_indirect requires a table')
    refuses(body([0x10, 9]), 'vector read out of bounds')
    refuses(body([0x05]), 'else outside if')
    refuses(body([0x41, 0, 0x04, I32, 0x41, 0, 0x0b, 0x1a]), 'wrong type')
    refuses(body([0xc0]), 'Illegal instruction')
    refuses(body([0x0b]), 'function too short')
    refuses(body([0x02, 0x00, 0x0b]), 'Invalid type code in block')
    refuses(body([0x41, 0, 0x42, 0, 0x41, 1, 0x1b, 0x1a]), 'incorrect types for select')
  })

  it('refuses malformed sections', () => {
    const good = [...assemble({ functions: [EMPTY] })]
    refuses(new Uint8Array([1, ...good.slice(1)]), 'magic number did not match')
    refuses(new Uint8Array([...good.slice(0, 4), 2, ...good.slice(5)]), 'version number did not')
    refuses(new Uint8Array([...good, 1, 1, 0]), 'section out of order')
    refuses(new Uint8Array([...good, 12, 0]), 'error invalid section id')
    refuses(new Uint8Array([...good, 0, 3, 5, 65]), 'guarded ptr out of bounds')
    refuses(new Uint8Array([...good, 0, 2, 1, 0xff]), 'invalid utf8 encoding')
    accepts({ functions: [EMPTY] })
    runtime.validate(new Uint8Array([...good, 0, 3, 1, 65, 9]), DEFAULT_RULES, all)
    const exports: TestModule['exports'] = [
      ['apply', 0, 0],
      ['apply', 0, 0],
    ]
    refuses({ functions: [EMPTY], exports }, 'duplicate export name')
    refuses({ functions: [EMPTY], start: 0 }, 'wrong type for start')
    refuses({ functions: [EMPTY], exports: [['apply', 0, 7]] }, 'function export out of range')
  })

  it('reports the first error', () => {
    const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
    const types = [1, 4, 1, 0x60, 0, 0]
    // A function of a type that is not there, then a section that is none.
    refuses(Uint8Array.from([...header, ...types, 3, 2, 1, 9, 99, 0]), 'vector read out of bounds')
    // A byte is missing, or one that is looked at before it is taken.
    refuses(Uint8Array.from([...header, 1, 1, 1]), 'overbounding pointer')
    refuses(Uint8Array.from([...header, 5, 1, 1]), 'accessing out of bounds')
  })

  it('does not trust counts', () => {
    const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
    const lenient = { ...DEFAULT_WASM_CONFIG, max_section_elements: 0xffffffff }
    const huge = [0xff, 0xff, 0xff, 0xff, 0x0f]
    for (const id of [1, 2, 3, 6, 7]) {
      expect(() =>
        runtime.validate(
          new Uint8Array([...header, id, 5, ...huge]),
          { config: lenient, speculative: false },
          all,
        ),
      ).throw(ChainError)
    }
    const body = [1, ...huge, I32, 0x0b]
    const code = [...header, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0]
    code.push(10, body.length + 2, 1, body.length, ...body)
    refuses(new Uint8Array(code), 'local variable limit exceeded')
    const sets = [...header, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, ...huge, 0x0b]
    refuses(new Uint8Array(sets), 'Allocated too much memory')
    refuses(new Uint8Array([...header, 1, 7, 1, 0x60, ...huge]), 'Allocated too much memory')
  })
})

describe('validation before limits could be configured', () => {
  const refusesOld = (
    m: TestModule,
    text: string,
    error: ErrorName = 'wasm_execution_error',
  ): void => {
    const code = assemble(m)
    expectError(() => runtime.validate(code, OLD_RULES, all), error, text)
  }

  it('has its own limits and texts', () => {
    const memory = { initial: 529 }
    refusesOld({ functions: [EMPTY], memory }, 'initial memory size must be less than')
    const two = { initial: 2 }
    refusesOld({ functions: [EMPTY], memory: two, data: [[65536, [1]]] }, 'lie in first 64KiB')
    refusesOld({ functions: [EMPTY], table: { size: 1025 } }, 'table limited to 1024 elements')
    refusesOld({ functions: [EMPTY], exports: [] }, 'apply function not exported')
    const offset = [0x41, 0, 0x28, 2, ...u32(33 * 1024 * 1024), 0x1a]
    const large = { type: 0, code: offset }
    refusesOld({ functions: [large], memory: two }, 'invalid large memory store/load offset')
    const wide: [number[], number[]] = [[F32, F32], []]
    const many = { type: 1, locals: [[2047, I32]] as [number, number][], code: [] }
    refusesOld({ types: [APPLY, wide], functions: [many, EMPTY] }, 'bytes of stack usage')
  })

  it('takes some code after the end of a function, which then cannot run', () => {
    // end, block, end; and end, i32.const 5, nop, loop, end.
    for (const code of [
      [0x0b, 0x02, 0x40],
      [0x0b, 0x41, 0x05, 0x01, 0x03, 0x40],
    ]) {
      const m = { functions: [{ type: 0, code }] }
      accepts(m, 'old')
      refuses(m, 'function too short')
      const bytes = assemble(m)
      const apply = (): void => runtime.apply(sha256(bytes), () => bytes, new FakeContext('late'))
      expectError(apply, 'wasm_execution_error', 'Error building eos-vm interp')
    }
    const dropping = { functions: [{ type: 0, code: [0x0b, 0x1a, 0x02, 0x40] }] }
    refusesOld(dropping, 'control stack empty', 'wasm_serialization_error')
  })

  it('takes what it took', () => {
    accepts({ functions: [{ type: 0, code: [0x02, 0x00, 0x0b] }] }, 'old')
  })
})

describe('the table of host functions', () => {
  it('has all of the reference, each with an implementation of its number of parameters', () => {
    expect(HOST_FUNCTIONS.size).equal(GENESIS + 2 + 1 + 1 + 1 + 2 + 2 + 1 + 1 + 7 + 10 + 1)
    for (const [name, f] of HOST_FUNCTIONS) {
      const linked = f.link(undefined as never)
      // Fewer where the last ones are not looked at; one more where index functions share code.
      const more = name.startsWith('db_idx') ? 1 : 0
      expect(linked.length, name).most(f.type.params.length + more)
    }
  })
})

/** Functions of genesis (spring: genesis_intrinsics.cpp). */
const GENESIS = 168

describe('hostile code', () => {
  const files = [
    'node_modules/proton-tsc/external/eosio.token/eosio.token.wasm',
    'test/fixtures/probe/probe.wasm',
  ].map((path) => new Uint8Array(readFileSync(path)))

  /** Validates, and runs what passes for a moment: nothing but the errors of the chain. */
  function survives(code: Uint8Array): void {
    try {
      runtime.validate(code, DEFAULT_RULES, all)
      const ctx = new FakeContext('contract')
      ctx.budget = 3
      ctx.checktime = () => {
        if ((ctx.checks += 1) > ctx.budget) throw new ChainError('deadline_exception', 'time')
      }
      new WasmRuntime().apply(sha256(code), () => code, ctx)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
    }
  }

  it('cut off anywhere is refused', () => {
    for (const file of files) {
      for (let length = 0; length < file.length; length += length < 3000 ? 1 : 31) {
        const code = file.subarray(0, length)
        expect(() => runtime.validate(code, DEFAULT_RULES, all)).throw(ChainError)
      }
    }
  })

  it('with changed bytes is harmless', () => {
    const change = fc.record({ at: fc.nat(), value: fc.nat(255) })
    fc.assert(
      fc.property(fc.nat(1), fc.array(change, { minLength: 1, maxLength: 4 }), (which, changes) => {
        const code = files[which]!.slice()
        for (const { at, value } of changes) code[at % code.length] = value
        survives(code)
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  it('of random instructions is harmless', () => {
    const types: TestModule['types'] = [APPLY, [[I32], [I32]], [[F64, F32], [F64]]]
    const opcode = fc.integer({ min: 0, max: 0xc0 })
    fc.assert(
      fc.property(fc.array(fc.oneof(opcode, fc.nat(5)), { maxLength: 60 }), (code) => {
        const functions = [
          {
            type: 0,
            locals: [
              [1, I32],
              [1, F32],
            ] as [number, number][],
            code,
          },
        ]
        survives(assemble({ types, functions, memory: { initial: 1 }, table: { size: 2 } }))
      }),
      { numRuns: 2000, seed: 11 },
    )
  })
})
