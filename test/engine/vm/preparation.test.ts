import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getEnvironmentData } from 'node:worker_threads'
import { expect } from 'chai'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { CallGraph } from '../../../src/engine/vm/instrument/call_graph.ts'
import { RESERVED_IMPORTS, planLayout } from '../../../src/engine/vm/instrument/layout.ts'
import { scanBody } from '../../../src/engine/vm/instrument/scan_body.ts'
import { COMPILE_LOCK } from '../../../src/engine/vm/compile_module.ts'
import { DiskCodeStore } from '../../../src/engine/vm/preparation/disk_code_store.ts'
import { LocalPreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import type { CodePreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import { taskMessage } from '../../../src/engine/vm/preparation/preparer_message.ts'
import { PreparerThread } from '../../../src/engine/vm/preparation/preparer_thread.ts'
import { prepareCode } from '../../../src/engine/vm/preparation/prepared_code.ts'
import type { PreparationTask } from '../../../src/engine/vm/preparation/prepared_code.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { exportedFunction } from '../../../src/engine/vm/wasm/module.ts'
import { parseModule } from '../../../src/engine/vm/wasm/parse_module.ts'
import { APPLY_OPTIONS } from '../../../src/engine/vm/wasm/parse_options.ts'
import { CODE_SHAPES, callGraph } from '../../support/code_shapes.ts'
import { FakeContext } from './fake_context.ts'
import { printing } from './modules.ts'
import { expectError } from './support.ts'

const read = (path: string): Uint8Array => new Uint8Array(readFileSync(path))
const TOKEN = read('node_modules/proton-tsc/external/eosio.token/eosio.token.wasm')
const ATOMIC = read('node_modules/proton-tsc/external/atomicassets/atomicassets.wasm')

function taskOf(code: Uint8Array, more: Partial<PreparationTask> = {}): PreparationTask {
  const getCode = (): Uint8Array => code
  return { code_hash: sha256(code), getCode, max_call_depth: 250, movable_memory: false, ...more }
}

const seven = printing([0x42, 7])

function runOn(
  preparer: CodePreparer,
  code: Uint8Array,
  ctx = new FakeContext('contract'),
): string {
  new WasmRuntime({ preparer }).apply(sha256(code), () => code, ctx)
  return ctx.console
}

describe('the call graph', () => {
  const graphOf = (code: Uint8Array): { depth: number; edges: number } => {
    const m = parseModule(code, APPLY_OPTIONS)
    const scans = m.bodies.map((_, i) => scanBody(m, i, new Set()))
    const graph = new CallGraph(m, scans)
    const depth = graph.greatestDepth([exportedFunction(m, 'apply')!])
    return { depth, edges: graph.visited_edges }
  }

  it('follows each call and each element of the table once, however many types are equal', () => {
    const { depth, edges } = graphOf(callGraph(25_000, 8_000))
    expect(depth).equal(2)
    expect(edges).equal(4 + 25_000 + 1_024)
  })

  it('counts a chain that is longer than the stack is deep', () => {
    expect(graphOf(CODE_SHAPES.call_chain!())).deep.equal({ depth: 8_190, edges: 8_190 })
  })

  it('follows the edges of a dense graph once', () => {
    const { depth, edges } = graphOf(CODE_SHAPES.call_fan!())
    expect(depth).equal(2_999)
    expect(edges).at.most(3_000 * 60)
  })

  it('ends where all functions call each other', () => {
    expect(graphOf(CODE_SHAPES.call_web!()).depth).equal(Infinity)
  })
})

describe('preparing code', () => {
  for (const [name, make] of Object.entries(CODE_SHAPES)) {
    it(`writes modules of a bounded length: ${name}`, () => {
      const code = make()
      const prepared = prepareCode(taskOf(code))
      if ('format' in prepared) throw new Error('refused')
      expect(prepared.bytes.length).below(code.length * 10 + 65_536)
    })
  }

  it('writes the functions in reverse order, so that V8 puts them into memory in order', () => {
    const code = readFileSync('test/fixtures/probe/probe.wasm')
    const m = parseModule(code, APPLY_OPTIONS)
    const { functionIndex } = planLayout(m, new Set(), {
      count_depth: false,
      movable_memory: false,
    })
    const first = m.imports.length + RESERVED_IMPORTS.length
    const indices = m.functions.map((_, i) => functionIndex(m.imports.length + i))
    expect(indices).deep.equal(m.functions.map((_, i) => first + m.functions.length - 1 - i))
  })

  it('keeps the refusal of a code that can never run', () => {
    const preparer = new LocalPreparer()
    const runtime = new WasmRuntime({ preparer })
    const code = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
    for (let i = 0; i < 3; i++) {
      const run = (): void => runtime.apply(sha256(code), () => code, new FakeContext('contract'))
      expectError(run, 'wasm_execution_error', 'unexpected argument type')
    }
    expect(preparer.parsed).equal(1)
  })
})

/** Answers when a test says so. */
class HeldPreparer implements CodePreparer {
  readonly limits: number[] = []
  readonly requested: PreparationTask[] = []
  ready = false
  private readonly local = new LocalPreparer()

  request(task: PreparationTask): void {
    this.requested.push(task)
  }

  prepare(task: PreparationTask, time_limit_ms: number): ReturnType<CodePreparer['prepare']> {
    this.limits.push(time_limit_ms)
    return this.ready ? this.local.prepare(task) : undefined
  }
}

describe('a code that is not ready', () => {
  it('is waited for within the time of the context, unbilled, then the transaction is put off', () => {
    const preparer = new HeldPreparer()
    const runtime = new WasmRuntime({ preparer })
    const ctx = new FakeContext('contract')
    ctx.preparation_ms = 40
    const run = (): void => runtime.apply(sha256(seven), () => seven, ctx)
    expectError(run, 'block_cpu_usage_exceeded', 'still being prepared')
    expect(ctx.paused).equal(0)
    preparer.ready = true
    run()
    expect(ctx.console).equal('7')
    expect(preparer.limits).deep.equal([40, 40])
  })

  it('that moves its memory runs on without the other form, which is made in advance', () => {
    const grow = [0x41, 1, 0x40, 0, 0x1a]
    const size = [0x3f, 0, 0xad]
    const code = printing([...size, 0x10, 0, ...grow, ...size], { memory: { initial: 1 } })
    const preparer = new HeldPreparer()
    const runtime = new WasmRuntime({ preparer })
    preparer.ready = true
    for (const ready of [true, false, false, true, true]) {
      preparer.ready = ready
      const ctx = new FakeContext('contract')
      runtime.apply(sha256(code), () => code, ctx)
      expect(ctx.console).equal('12')
    }
    expect(preparer.requested.map((task) => task.movable_memory)).deep.equal([true])
    // The first run, then three polls: nobody waits for the other form.
    expect(preparer.limits).deep.equal([Infinity, 0, 0, 0])
  })
})

describe('prepared codes on disk', () => {
  const folders: string[] = []
  const log: string[] = []
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'pronghorn-codes-'))
    folders.push(folder)
    return join(folder, 'code-cache')
  }
  const storeIn = (folder: string, max_bytes = 1 << 24): DiskCodeStore =>
    new DiskCodeStore(folder, max_bytes, (level, message) => log.push(`${level} ${message}`))
  beforeEach(() => log.splice(0))
  after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

  it('hold all that a run needs: the next start parses nothing', () => {
    const folder = newFolder()
    for (const [i, parsed] of [1, 0].entries()) {
      const preparer = new LocalPreparer(storeIn(folder))
      expect(runOn(preparer, seven), `start ${i}`).equal('7')
      expect(preparer.parsed, `start ${i}`).equal(parsed)
    }
    expect(log).deep.equal([])
  })

  it('are what was prepared', () => {
    const store = storeIn(newFolder())
    const codes = [TOKEN, ATOMIC, CODE_SHAPES.table_with_gaps!(), CODE_SHAPES.data_segments!()]
    for (const code of codes) {
      for (const movable_memory of [false, true]) {
        const task = taskOf(code, { movable_memory })
        const prepared = prepareCode(task)
        if ('format' in prepared) throw new Error('refused')
        store.write(task.code_hash, prepared)
        expect(store.read({ ...task, movable_memory: prepared.form.movable_memory })).deep.equal(
          prepared,
        )
      }
    }
  })

  it('are not used where another number of calls is allowed', () => {
    const store = storeIn(newFolder())
    const task = taskOf(CODE_SHAPES.call_chain!(), { max_call_depth: 9_000 })
    new LocalPreparer(store).prepare(task)
    expect(store.read(task)?.form.count_depth).equal(false)
    expect(store.read({ ...task, max_call_depth: 8_190 })).equal(undefined)
  })

  it('are made again where any byte of the file is another one', () => {
    const folder = newFolder()
    runOn(new LocalPreparer(storeIn(folder)), seven)
    const path = join(folder, readdirSync(folder)[0]!)
    const whole = read(path)
    for (let at = 0; at < whole.length; at += 1 + Math.floor(whole.length / 60)) {
      const damaged = whole.slice()
      damaged[at]! ^= 0x10
      writeFileSync(path, damaged)
      const preparer = new LocalPreparer(storeIn(folder))
      expect(runOn(preparer, seven), `byte ${at}`).equal('7')
      expect(preparer.parsed, `byte ${at}`).equal(1)
      expect(read(path), `byte ${at}`).deep.equal(whole)
    }
    // The version alone is not damage.
    expect(log.length).at.least(55)
    expect(log.every((line) => line.startsWith('warn') && line.includes('is damaged'))).equal(true)
  })

  it('are made again where the file is cut off, empty, or of another code', () => {
    const folder = newFolder()
    runOn(new LocalPreparer(storeIn(folder)), seven)
    const path = join(folder, readdirSync(folder)[0]!)
    const whole = read(path)
    const other_folder = newFolder()
    new LocalPreparer(storeIn(other_folder)).prepare(taskOf(TOKEN))
    const other = read(join(other_folder, readdirSync(other_folder)[0]!))
    for (const file of [whole.slice(0, 0), whole.slice(0, 40), whole.slice(0, -1), other]) {
      writeFileSync(path, file)
      const preparer = new LocalPreparer(storeIn(folder))
      expect(runOn(preparer, seven)).equal('7')
      expect(preparer.parsed).equal(1)
    }
  })

  it('are limited in size: the least recently used are removed', () => {
    const folder = newFolder()
    const codes = [1, 2, 3, 4].map((i) => printing([0x42, i, ...Array<number>(3000).fill(1)]))
    const size = 4_000
    const tasks = codes.map((code) => taskOf(code))
    const store = storeIn(folder, 3.5 * size)
    tasks.slice(0, 3).forEach((task, i) => {
      new LocalPreparer(store).prepare(task)
      for (const name of readdirSync(folder)) {
        const path = join(folder, name)
        // A second older with each code that comes later.
        const { mtimeMs } = statSync(path)
        utimesSync(path, mtimeMs / 1000 - 1, mtimeMs / 1000 - 1)
      }
      expect(readdirSync(folder).length).equal(i + 1)
    })
    // The first is used, so the second is the oldest.
    expect(store.read(tasks[0]!)).not.equal(undefined)
    new LocalPreparer(store).prepare(tasks[3]!)
    const kept = tasks.map((task) => store.read(task) !== undefined)
    expect(kept).deep.equal([true, false, true, true])
    const bytes = readdirSync(folder).reduce((n, name) => n + statSync(join(folder, name)).size, 0)
    expect(bytes).at.most(3.5 * size)
  })

  it('that cannot be written cost a line in the log', () => {
    const folder = newFolder()
    writeFileSync(folder, 'a file where the folder should be')
    const store = storeIn(folder)
    expect(runOn(new LocalPreparer(store), seven)).equal('7')
    expect(runOn(new LocalPreparer(store), printing([0x42, 8]))).equal('8')
    expect(log.length).equal(1)
    expect(log[0]).include('continues without storing it')
  })

  it('leave nothing of a write that was cut off', () => {
    const folder = newFolder()
    runOn(new LocalPreparer(storeIn(folder)), seven)
    const name = readdirSync(folder)[0]!
    writeFileSync(join(folder, `${name}.tmp`), 'half')
    new LocalPreparer(storeIn(folder)).prepare(taskOf(TOKEN))
    expect(readdirSync(folder).filter((file) => file.endsWith('.tmp'))).deep.equal([])
  })
})

describe('preparing on another thread', () => {
  it('sends the bytes of the code alone, without the memory that they are a view of', () => {
    const memory = Buffer.alloc(1_000_000)
    const getCode = (): Uint8Array => memory.subarray(10, 110)
    const task = { code_hash: memory.subarray(0, 32), getCode, movable_memory: false }
    const message = taskMessage('key', { ...task, max_call_depth: 250 }, false)
    expect(message.code.buffer.byteLength).equal(100)
    expect(message.code_hash.buffer.byteLength).equal(32)
  })

  let thread: PreparerThread
  const log: string[] = []
  before(async function () {
    this.timeout(240_000)
    thread = new PreparerThread({ log: (level, message) => log.push(`${level} ${message}`) })
    await thread.started()
  })
  after(() => thread.close())

  it('gives what the own thread gives', () => {
    for (const code of [seven, TOKEN, ATOMIC]) {
      const theirs = thread.prepare(taskOf(code), Infinity)!
      const ours = new LocalPreparer().prepare(taskOf(code))
      expect({ ...theirs, module: undefined }).deep.equal({ ...ours, module: undefined })
    }
    expect(runOn(thread, seven)).equal('7')
  })

  it('answers while it warms up', () => {
    thread.warmUp()
    expect(runOn(thread, printing([0x42, 8, 0x01]))).equal('8')
  })

  /** No thread compiles while `act` runs. */
  const whileLocked = (act: () => void): void => {
    const word = new Int32Array(getEnvironmentData(COMPILE_LOCK) as unknown as SharedArrayBuffer)
    while (Atomics.compareExchange(word, 0, 0, 1) !== 0) Atomics.wait(word, 0, 1)
    try {
      act()
    } finally {
      Atomics.store(word, 0, 0)
      Atomics.notify(word, 0)
    }
  }

  it('is not waited for without time left, and is ready at the next request', () => {
    const code = printing([0x42, 9, 0x01])
    const task = taskOf(code)
    whileLocked(() => {
      thread.request(task)
      expect(thread.prepare(task, 0)).equal(undefined)
      expect(thread.prepare(task, 5)).equal(undefined)
    })
    expect(thread.prepare(task, Infinity)).not.equal(undefined)
    expect(runOn(thread, code)).equal('9')
  })

  it('gives refusals back', () => {
    const code = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
    expect(thread.prepare(taskOf(code), Infinity)).deep.equal({
      facts: undefined,
      refused: {
        format: 'eos-vm system failure: ${d}',
        data: { d: 'unexpected argument type' },
      },
    })
  })

  it('does a request with a waiting caller first, also if it was requested in advance', () => {
    const ahead = [1, 2, 3, 4, 5, 6].map((i) => printing([0x42, i, ...Array<number>(99).fill(1)]))
    whileLocked(() => {
      for (const code of ahead) thread.request(taskOf(code))
      expect(thread.prepare(taskOf(ahead[5]!), 0)).equal(undefined)
    })
    for (const code of ahead) expect(thread.prepare(taskOf(code), Infinity)).not.equal(undefined)
  })

  it('accepts no more requests in advance than its limit', () => {
    const codes = Array.from({ length: 100 }, (_, i) =>
      printing([0x42, 11, ...Array<number>(200 + i).fill(1)]),
    )
    for (const code of codes) thread.request(taskOf(code))
    for (const code of codes) expect(thread.prepare(taskOf(code), Infinity)).not.equal(undefined)
  })

  it('continues without the thread when it has ended', async () => {
    const ended = new PreparerThread({ log: (level, message) => log.push(`${level} ${message}`) })
    await ended.started()
    await ended.close()
    expect(runOn(ended, seven)).equal('7')
    expect(log).deep.equal([])
  })
})
