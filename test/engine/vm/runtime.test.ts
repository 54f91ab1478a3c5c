import { expect } from 'chai'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { HOST_FUNCTIONS } from '../../../src/engine/vm/host/table.ts'
import type { WasmInstance } from '../../../src/engine/vm/instance.ts'
import type { KnownFunctions } from '../../../src/engine/vm/link_imports.ts'
import { LocalPreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { F32, F64, I32, I64, assemble, i32, i64, u32 } from './assembler.ts'
import { Deadline, FakeContext } from './fake_context.ts'
import { HostCaller } from './host_caller.ts'
import { APPLY, SELECTOR, acting, printing } from './modules.ts'
import { expectError, run } from './support.ts'

function twice(code: number[]): number[] {
  return [...code, ...code]
}

describe('a run of a contract', () => {
  it('gets receiver, code and action', () => {
    const code = assemble({
      types: [APPLY, [[I64], []]],
      imports: [['printui', 1]],
      functions: [{ type: 0, code: [0, 1, 2].flatMap((i) => [0x20, i, 0x10, 0]) }],
    })
    const ctx = new FakeContext('receiver')
    ctx.act = { ...ctx.act, account: 2n ** 64n - 1n, name: 5n }
    run(code, ctx)
    expect(ctx.console).equal(`${ctx.receiver}184467440737095516155`)
  })

  it('ends an endless loop at the deadline, and a recursion without loops', () => {
    const loop = assemble({ functions: [{ type: 0, code: [0x03, 0x40, 0x0c, 0, 0x0b] }] })
    const ctx = new FakeContext('contract')
    ctx.budget = 50
    expect(() => run(loop, ctx)).throw(Deadline)
    expect(ctx.checks).equal(51)
    // Two calls of itself at each of 200 levels: endless in practice, never too deep.
    const tree = assemble({
      types: [APPLY, [[I32], []]],
      functions: [
        {
          type: 1,
          code: [
            0x20,
            0,
            0x45,
            0x04,
            0x40,
            0x0f,
            0x0b,
            ...twice([0x20, 0, 0x41, 1, 0x6b, 0x10, 0]),
          ],
        },
        { type: 0, code: [0x41, ...i32(200), 0x10, 0] },
      ],
    })
    const other = new FakeContext('contract')
    other.budget = 20
    expect(() => run(tree, other)).throw(Deadline)
  })

  it('ends a loop that spends its time in host functions', () => {
    const code = assemble({
      types: [APPLY, [[I32, I32, I32], [I32]]],
      imports: [['memset', 1]],
      memory: { initial: 16 },
      functions: [
        {
          type: 0,
          code: [0x03, 0x40, 0x41, 0, 0x41, 0, 0x41, ...i32(1 << 20), 0x10, 0, 0x1a, 0x0c, 0, 0x0b],
        },
      ],
    })
    const ctx = new FakeContext('contract')
    ctx.budget = 10
    expect(() => run(code, ctx)).throw(Deadline)
  })

  it('begins each action with the first memory and globals', () => {
    // Prints memory[8], global; then changes both.
    const code = printing(
      [
        0x41, 8, 0x29, 3, 0, 0x10, 0, 0x23, 0, 0x10, 0,
        0x41, 8, 0x42, 7, 0x37, 3, 0, 0x42, 9, 0x24, 0,
        0x41, ...i32(65528), 0x42, 1, 0x37, 3, 0,
        0x41, ...i32(65528), 0x29, 3, 0,
      ],
      {
        memory: { initial: 1 },
        globals: [[I64, true, [0x42, 5]]],
        data: [[8, [3, 0, 0, 0, 0, 0, 0, 0]]],
      },
    ) // oxfmt-ignore
    const runtime = new WasmRuntime()
    for (let i = 0; i < 3; i++) {
      expect(run(code, new FakeContext('contract'), runtime).console).equal('351')
    }
  })

  it('resets after a failure too', () => {
    const code = printing(
      [
        0x23, 0, 0x10, 0, 0x42, 9, 0x24, 0,
        ...SELECTOR, 0x04, 0x40, 0x00, 0x0b,
        0x23, 0,
      ],
      { globals: [[I64, true, [0x42, 5]]] },
    ) // oxfmt-ignore
    const runtime = new WasmRuntime()
    expectError(() => run(code, acting(1n), runtime), 'wasm_execution_error', 'unreachable')
    expect(run(code, acting(0n), runtime).console).equal('59')
  })

  it('grows memory up to the limit, and the next action starts small', () => {
    // Grows by the selector, prints the answer and the size.
    const code = printing([...SELECTOR, 0x40, 0, 0xac, 0x10, 0, 0x3f, 0, 0xac], {
      memory: { initial: 2 },
    })
    const runtime = new WasmRuntime()
    expect(run(code, acting(3n), runtime).console).equal('25')
    expect(run(code, acting(0n), runtime).console).equal('22')
    expect(run(code, acting(526n), runtime).console).equal('2528')
    expect(run(code, acting(527n), runtime).console).equal('-12')
    const small = acting(9n)
    small.max_pages = 10
    expect(run(code, small, runtime).console).equal('-12')
    const bounded = printing([...SELECTOR, 0x40, 0, 0xac], { memory: { initial: 1, maximum: 2 } })
    expect(run(bounded, acting(1n)).console).equal('1')
    expect(run(bounded, acting(2n)).console).equal('-1')
  })

  it('can release memory, which is then out of bounds, and zero when it is added again', () => {
    // Writes at the end of two pages; shrinks by one; with selector 1 reads there, else grows again.
    const at = [0x41, ...i32(131064)]
    const code = printing(
      [
        0x41, 1, 0x40, 0, 0x1a, ...at, 0x42, 7, 0x37, 3, 0,
        0x41, ...i32(-1), 0x40, 0, 0xac, 0x10, 0, 0x3f, 0, 0xac, 0x10, 0,
        ...SELECTOR, 0x04, 0x40, ...at, 0x29, 3, 0, 0x10, 0, 0x0b,
        0x41, 1, 0x40, 0, 0xac, 0x10, 0, ...at, 0x29, 3, 0,
      ],
      { memory: { initial: 1 } },
    ) // oxfmt-ignore
    const runtime = new WasmRuntime()
    expect(run(code, acting(0n), runtime).console).equal('2110')
    const text = 'access violation: wasm memory out-of-bounds'
    expectError(() => run(code, acting(1n), runtime), 'wasm_execution_error', text)
    expect(run(code, acting(0n), runtime).console).equal('2110')
  })

  it('accesses memory of every width alike, grown or not', () => {
    // Every load after every store, at an offset; the second run has a movable memory.
    const stores = [[0x36, I32], [0x37, I64], [0x38, F32], [0x39, F64], [0x3a, I32], [0x3b, I32], [0x3c, I64], [0x3d, I64], [0x3e, I64]] as const // oxfmt-ignore
    const constants: Record<number, number[]> = {
      [I32]: [0x41, ...i32(-2023406815)],
      [I64]: [0x42, ...i64(-8690466096661279486n)],
      [F32]: [0x43, 0xf1, 0xde, 0xbc, 0x8a],
      [F64]: [0x44, 1, 2, 3, 4, 5, 6, 7, 0x88],
    }
    const toI64: Record<number, number[]> = { [I32]: [0xac], [I64]: [], [F32]: [0xbc, 0xac], [F64]: [0xbd] } // oxfmt-ignore
    const loads = [I32, I64, F32, F64, I32, I32, I32, I32, I64, I64, I64, I64, I64, I64]
    const code: number[] = []
    for (const [store, type] of stores) {
      code.push(0x41, 8, ...constants[type]!, store, 0, 5)
      loads.forEach((load, i) => {
        code.push(0x41, 8, 0x28 + i, 0, 5, ...toI64[load]!, 0x10, 0)
      })
    }
    const grow = [0x41, 1, 0x40, 0, 0x1a]
    const runtime = new WasmRuntime()
    const module = printing([...code, ...grow, 0x42, 0], { memory: { initial: 1 } })
    const first = run(module, acting(0n), runtime).console
    expect(first.length).above(500)
    expect(run(module, acting(0n), runtime).console).equal(first)
    // The last byte may be reached, the one after it may not.
    const edge = (offset: number): Uint8Array =>
      printing([...grow, 0x41, 0, 0x29, 0, ...u32(offset)], { memory: { initial: 1 } })
    const last = edge(131064)
    const beyond = edge(131065)
    for (let i = 0; i < 2; i++) {
      run(last, acting(0n), runtime)
      expectError(
        () => run(beyond, acting(0n), runtime),
        'wasm_execution_error',
        'access violation',
      )
    }
  })

  it('sees memory that grew from host functions', () => {
    const code = assemble({
      types: [APPLY, [[I32, I32], []]],
      imports: [['prints_l', 1]],
      memory: { initial: 1 },
      functions: [
        {
          type: 0,
          code: [
            0x41, 1, 0x40, 0, 0x1a,
            0x41, ...i32(70000), 0x41, ...i32(65), 0x3a, 0, 0,
            0x41, ...i32(70000), 0x41, 1, 0x10, 0,
          ],
        },
      ],
    }) // oxfmt-ignore
    expect(run(code).console).equal('A')
  })

  it('fails where the first memory is larger than the limit, or data beyond it', () => {
    const code = assemble({ memory: { initial: 3 }, functions: [{ type: 0, code: [] }] })
    const ctx = new FakeContext('contract')
    ctx.max_pages = 2
    const text = 'eos-vm system failure: Cannot allocate initial linear memory.'
    expectError(() => run(code, ctx), 'wasm_execution_error', text)
    const data = assemble({
      memory: { initial: 1 },
      functions: [{ type: 0, code: [] }],
      data: [[65535, [1, 2]]],
    })
    const out = 'access violation: data out of range'
    expectError(() => run(data), 'wasm_execution_error', out)
  })

  it('runs the start function before each action', () => {
    const code = printing([0x23, 0], {
      types: [[[], []]],
      globals: [[I64, true, [0x42, 1]]],
      functions: [{ type: 2, code: [0x23, 0, 0x42, 2, 0x7c, 0x24, 0] }],
      start: 1,
    })
    const runtime = new WasmRuntime()
    for (let i = 0; i < 2; i++) {
      expect(run(code, new FakeContext('contract'), runtime).console).equal('3')
    }
  })

  it('leaves with eosio_exit as a success', () => {
    const code = assemble({
      types: [APPLY, [[I32], []]],
      imports: [['eosio_exit', 1]],
      functions: [{ type: 0, code: [0x41, 5, 0x10, 0, 0x00] }],
    })
    const runtime = new WasmRuntime()
    run(code, new FakeContext('contract'), runtime)
    run(code, new FakeContext('contract'), runtime)
  })

  it('passes on an error of a host function unchanged', () => {
    const code = assemble({
      types: [APPLY, [[I64], []]],
      imports: [['require_auth', 1]],
      functions: [{ type: 0, code: [0x42, ...i64(5), 0x10, 0] }],
    })
    const ctx = new FakeContext('contract')
    const error = new Error('mine')
    ctx.requireAuth = () => {
      throw error
    }
    expect(() => run(code, ctx))
      .throw(Error)
      .equal(error)
  })

  it('keeps no more memory than it may', () => {
    const runtime = new WasmRuntime({ max_idle_bytes: 5 * 65536 })
    const cache = (runtime as unknown as { cache: { idle_bytes: number } }).cache
    const codes = [1, 2, 3].map((n) => printing([0x42, n], { memory: { initial: 2 } }))
    const bytes = codes.map((code) => {
      run(code, new FakeContext('contract'), runtime)
      return cache.idle_bytes / 65536
    })
    expect(bytes).deep.equal([2, 4, 4])
    for (const code of codes) run(code, new FakeContext('contract'), runtime)
    expect(cache.idle_bytes / 65536).equal(4)
    const large = printing([0x42, 4], { memory: { initial: 9 } })
    expect(run(large, new FakeContext('contract'), runtime).console).equal('4')
    expect(cache.idle_bytes).equal(0)
    expect(run(large, new FakeContext('contract'), runtime).console).equal('4')
  })

  it('keeps no transaction in memory after a run, whatever its result', () => {
    const { vm, ctx } = new HostCaller()
    vm.run(ctx)
    expect(vm.ctx).equal(undefined)
    // Preparing its memory fails.
    const small = Object.assign(new FakeContext('contract'), { max_pages: 0 })
    expectError(
      () => vm.run(small),
      'wasm_execution_error',
      'Cannot allocate initial linear memory',
    )
    expect(vm.ctx).equal(undefined)
    const { vm: failing } = new HostCaller(ctx, 1, [0x00])
    expectError(() => failing.run(ctx), 'wasm_execution_error', 'unreachable')
    expect(failing.ctx).equal(undefined)
  })

  it('is not billed for the first instance of its code', () => {
    const ctx = new FakeContext('contract')
    const pauses: number[] = []
    const functions: KnownFunctions = {
      get: (name) => {
        const known = HOST_FUNCTIONS.get(name)!
        const link = (vm: WasmInstance) => (pauses.push(ctx.paused), known.link(vm))
        return { ...known, link }
      },
    }
    const preparer = Object.assign(new LocalPreparer(), { functions })
    const runtime = new WasmRuntime({ preparer, max_idle_bytes: 0 })
    const code = printing([0x42, 1], { memory: { initial: 1 } })
    for (const times of [1, 2]) {
      run(code, ctx, runtime)
      expect(ctx.paused).equal(0)
      expect(pauses).deep.equal([1, 0].slice(0, times))
    }
    expect(ctx.console).equal('11')
  })

  it('compiles a code once, and again after it was dropped', () => {
    const runtime = new WasmRuntime({ max_codes: 2 })
    const codes = [1, 2, 3].map((n) => printing([0x42, n]))
    const ctx = new FakeContext('contract')
    for (const code of [0, 0, 1, 0, 2, 0, 1]) run(codes[code]!, ctx, runtime)
    // The third code drops the second, which is compiled again.
    expect(ctx.compiled).equal(4)
    expect(ctx.console).equal('1121312')
  })
})

describe('contexts', () => {
  const code = assemble({
    types: [APPLY, [[], [I64]], [[I32, I32, I32], [I32]]],
    imports: [
      ['current_time', 1],
      ['get_context_free_data', 2],
    ],
    functions: [
      {
        type: 0,
        code: [
          ...SELECTOR,
          0x04,
          0x40,
          0x10,
          0,
          0x1a,
          0x05,
          0x41,
          0,
          0x41,
          0,
          0x41,
          0,
          0x10,
          1,
          0x1a,
          0x0b,
        ],
      },
    ],
    memory: { initial: 1 },
  })

  it('decide which functions may be called', () => {
    const runtime = new WasmRuntime()
    run(code, acting(1n), runtime)
    const text = 'this API may only be called from context_free apply'
    expectError(() => run(code, acting(0n), runtime), 'unaccessible_api', text)
    const free = acting(0n)
    free.context_free = true
    run(code, free, runtime)
    const aware = acting(1n)
    aware.context_free = true
    const other = "only context free api's can be used in this context"
    expectError(() => run(code, aware, runtime), 'unaccessible_api', other)
  })

  it('cannot run inside each other', () => {
    const runtime = new WasmRuntime()
    const ctx = acting(1n)
    Object.defineProperty(ctx, 'block_time_us', {
      get: () => runtime.apply(sha256(code), () => code, acting(1n)),
    })
    expect(() => run(code, ctx, runtime)).throw('a contract runs inside another')
  })
})
