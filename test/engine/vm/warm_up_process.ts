/** Warms up, then checks or prepares real contracts: V8 prints, between two lines, which code it drops. */
import { readFileSync, writeSync } from 'node:fs'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { DEFAULT_WASM_CONFIG } from '../../../src/engine/protocol/config.ts'
import { prepareCode } from '../../../src/engine/vm/preparation/prepared_code.ts'
import { validateCode } from '../../../src/engine/vm/validate.ts'
import { warmUpPreparation, warmUpChecks } from '../../../src/engine/vm/warm_up.ts'

const [what, ...files] = process.argv.slice(2)
const contracts = files.map((file) => readFileSync(file))
const check = (code: Uint8Array): void =>
  validateCode(code, { config: DEFAULT_WASM_CONFIG, speculative: true }, () => true)
const prepare = (code: Uint8Array): void => {
  const task = { code_hash: sha256(code), getCode: () => code, movable_memory: false }
  prepareCode({ ...task, max_call_depth: 250 })
}
const steps = what === 'prepare' ? warmUpPreparation() : warmUpChecks()

// A contract that comes before it is warm: what V8 compiles for it must not be for it alone.
check(contracts[0]!)
while (!steps.next().done);
writeSync(1, '\nwarm\n')
for (const code of contracts) {
  // As a view of another kind too.
  for (const bytes of [code, new Uint8Array(code)]) {
    if (what === 'prepare') prepare(bytes)
    else check(bytes)
  }
}
writeSync(1, '\ndone\n')
