import { expect } from 'chai'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { FirstInstances } from '../../../src/engine/vm/first_instances.ts'
import { LocalPreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import type { CodePreparer } from '../../../src/engine/vm/preparation/preparer.ts'
import type { Preparation } from '../../../src/engine/vm/preparation/prepared_code.ts'
import { PreparerThread } from '../../../src/engine/vm/preparation/preparer_thread.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { webAssembly } from '../../../src/engine/vm/web_assembly.ts'
import type { CompiledModule } from '../../../src/engine/vm/web_assembly.ts'
import { I64, assemble } from './assembler.ts'
import { FakeContext } from './fake_context.ts'
import { printing } from './modules.ts'

type Prepared = Extract<Preparation, { facts: object }> & { module: CompiledModule }

function prepared(code: Uint8Array, movable_memory = false): Prepared {
  const task = { code_hash: sha256(code), getCode: () => code, max_call_depth: 250, movable_memory }
  return new LocalPreparer().prepare(task) as Prepared
}

/** Counts the instances that `act` makes. */
function countInstances(act: () => void): number {
  const { Instance } = webAssembly
  let count = 0
  webAssembly.Instance = class extends Instance {
    constructor(...args: ConstructorParameters<typeof Instance>) {
      super(...args)
      count += 1
    }
  }
  try {
    act()
  } finally {
    webAssembly.Instance = Instance
  }
  return count
}

const numbered = (i: number): Uint8Array => printing([0x42, i], { memory: { initial: 1 } })

describe('first instances', () => {
  it('are given once', () => {
    const instances = new FirstInstances()
    const code = prepared(numbered(1))
    instances.make(code)
    expect(instances.take(code.module)).not.equal(undefined)
    expect(instances.take(code.module)).equal(undefined)
  })

  it('have a memory of zeros, also where it was touched ahead', () => {
    const instances = new FirstInstances()
    const code = prepared(printing([0x42, 1], { memory: { initial: 5 } }))
    instances.make(code)
    const { u8 } = instances.take(code.module)!
    expect(u8.length).equal(5 * 65536)
    expect(u8.findIndex((byte) => byte !== 0)).equal(-1)
  })

  it('are the newest eight', () => {
    const instances = new FirstInstances()
    const codes = Array.from({ length: 10 }, (_, i) => prepared(numbered(i)))
    for (const code of codes) instances.make(code)
    const kept = codes.map(({ module }) => instances.take(module) !== undefined)
    expect(kept).deep.equal([false, false, ...Array<boolean>(8).fill(true)])
  })

  it('are not made for a large memory, a movable one, or imports that nothing has', () => {
    const instances = new FirstInstances()
    const unknown = assemble({
      types: [[[I64, I64, I64], []]],
      imports: [['nothing', 0]],
      functions: [{ type: 0, code: [] }],
    })
    const large = printing([0x42, 1], { memory: { initial: 33 } })
    for (const code of [prepared(large), prepared(numbered(1), true), prepared(unknown)]) {
      instances.make(code)
      expect(instances.take(code.module)).equal(undefined)
    }
  })

  it('are used by the first run of a code', () => {
    const preparer: CodePreparer = new LocalPreparer()
    const runtime = new WasmRuntime({ preparer })
    const code = numbered(7)
    const task = { code_hash: sha256(code), getCode: () => code, max_call_depth: 250 }
    const ready = preparer.prepare({ ...task, movable_memory: false }, 0)!
    preparer.prepare = () => ready
    expect(countInstances(() => preparer.onPrepared!(ready))).equal(1)
    for (let run = 0; run < 2; run++) {
      const ctx = new FakeContext('contract')
      expect(countInstances(() => runtime.apply(task.code_hash, task.getCode, ctx))).equal(0)
      expect(ctx.console).equal('7')
    }
  })

  it('are asked for when another thread has prepared a code for which no caller waits', async () => {
    const thread = new PreparerThread({ log: () => {} })
    try {
      await thread.started()
      const code = numbered(3)
      const task = { code_hash: sha256(code), getCode: () => code, max_call_depth: 250 }
      const told = new Promise<Preparation>((resolve) => (thread.onPrepared = resolve))
      thread.request({ ...task, movable_memory: false })
      const instances = new FirstInstances()
      const announced = (await told) as Prepared
      instances.make(announced)
      const used = thread.prepare({ ...task, movable_memory: false }, 0) as Prepared
      expect(instances.take(used.module)).not.equal(undefined)
    } finally {
      await thread.close()
    }
  })
})
