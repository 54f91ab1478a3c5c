import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { tableElements } from '../../../src/engine/vm/instrument/table_elements.ts'
import { webAssembly } from '../../../src/engine/vm/web_assembly.ts'
import { warmUpCode, warmUpPreparation, warmUpChecks } from '../../../src/engine/vm/warm_up.ts'
import { parseModule } from '../../../src/engine/vm/wasm/parse_module.ts'
import { APPLY_OPTIONS } from '../../../src/engine/vm/wasm/parse_options.ts'
import { FROM_SOURCES } from '../../support/from_sources.ts'

const PROBE = 'test/fixtures/probe/probe.wasm'
const CONTRACTS = [
  PROBE,
  'node_modules/proton-tsc/external/eosio.token/eosio.token.wasm',
  'node_modules/proton-tsc/external/atomicassets/atomicassets.wasm',
]

/** The functions whose machine code V8 drops after warming up, because objects have another shape than before. */
function droppedAfterWarmUp(what: 'check' | 'prepare'): string[] {
  // On one thread, machine code is made at the same place in each run.
  const args = ['--single-threaded', '--trace-deopt', ...FROM_SOURCES]
  const child = 'test/engine/vm/warm_up_process.ts'
  const all = [...args, child, what, ...CONTRACTS]
  const { stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' })
  const after = /\nwarm\n([^]*)\ndone\n/.exec(stdout)?.[1]
  if (after === undefined) throw new Error(`it did not end: ${stderr}`)
  return after.split('\n').filter((line) => line.includes('reason: wrong map'))
}

describe('warming up', () => {
  it('works on a valid code, in many steps', () => {
    for (const recursive of [true, false]) {
      expect(new webAssembly.Module(warmUpCode(recursive))).not.equal(undefined)
    }
    expect([...warmUpChecks()].length).equal(80)
    expect([...warmUpPreparation()].length).equal(40)
  })

  it('reads a Buffer and a Uint8Array as objects of the same shape', () => {
    const { code, data } = parseModule(readFileSync(PROBE), APPLY_OPTIONS)
    for (const bytes of [code, ...data.map((segment) => segment.bytes)]) {
      expect(Object.getPrototypeOf(bytes)).equal(Uint8Array.prototype)
    }
  })

  it('finds the elements of tables, filled, empty or absent', () => {
    expect(tableElements(undefined)).deep.equal({ first: 0, end: 0, gaps: [] })
    expect(tableElements(Int32Array.of(-1, -1))).deep.equal({ first: 2, end: 2, gaps: [] })
    expect(tableElements(Int32Array.of(-1, 5, -1, 6))).deep.equal({
      first: 1,
      end: 4,
      gaps: [[1, 2]],
    })
  })

  for (const what of ['check', 'prepare'] as const) {
    it(`makes machine code that V8 keeps when the thread has real contracts to ${what}`, function () {
      this.timeout(240_000)
      expect(droppedAfterWarmUp(what)).deep.equal([])
    })
  }
})
