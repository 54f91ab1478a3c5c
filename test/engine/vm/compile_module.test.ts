import { getEnvironmentData } from 'node:worker_threads'
import { expect } from 'chai'
import { isBaselineKept } from '../../../src/engine/vm/baseline_check.ts'
import { COMPILE_LOCK, compileModule } from '../../../src/engine/vm/compile_module.ts'
import { webAssembly } from '../../../src/engine/vm/web_assembly.ts'
import { I32, assemble } from './assembler.ts'

describe('compileModule', () => {
  it('keeps baseline modules from the optimizing compiler of this version of V8', () => {
    expect(isBaselineKept()).to.equal(true)
  })

  it('compiles the same bytes in either tier', () => {
    const bytes = assemble({
      types: [[[I32], [I32]]],
      functions: [{ type: 0, code: [0x20, 0, 0x20, 0, 0x6c] }],
      exports: [['square', 0, 0]],
    })
    for (const tier of ['optimizing', 'baseline', 'optimizing'] as const) {
      const instance = new webAssembly.Instance(compileModule(bytes, tier), {})
      expect((instance.exports.square as (n: number) => number)(7), tier).to.equal(49)
    }
  })

  it('refuses what V8 refuses, and compiles the next module', () => {
    for (const tier of ['optimizing', 'baseline'] as const) {
      expect(() => compileModule(new Uint8Array(8), tier)).to.throw(webAssembly.CompileError)
    }
    const empty = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
    expect(() => compileModule(empty, 'baseline')).not.to.throw()
  })
  it('continues after a thread that ended during compilation', () => {
    const empty = new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
    const word = new Int32Array(getEnvironmentData(COMPILE_LOCK) as unknown as SharedArrayBuffer)
    Atomics.store(word, 0, 1)
    expect(() => compileModule(empty, 'optimizing', 20)).not.to.throw()
    expect(Atomics.load(word, 0)).to.equal(0)
  })
})
