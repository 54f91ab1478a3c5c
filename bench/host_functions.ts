/**
 * What host functions cost within a transaction: `node --import tsx bench/host_functions.ts`. Each
 * line runs a program of the probe contract that calls one function many times, in a transaction
 * of its own that is undone. The last column is the cost of one call beyond an empty program.
 */
import { readFileSync } from 'node:fs'
import { pushTransaction } from '../src/engine/chain/execution/push_transaction.ts'
import { FEATURE_SPECS } from '../src/engine/protocol/features.ts'
import { Writer } from '../src/engine/protocol/writer.ts'
import { WasmRuntime } from '../src/engine/vm/runtime.ts'
import { Harness, action, pushLimits } from '../test/engine/chain/support/harness.ts'
import { Program } from '../test/fuzz/program.ts'

const ROUNDS = 60

const chain = new Harness({
  runtime: new WasmRuntime(),
  features: FEATURE_SPECS.map(({ name }) => name),
})
chain.createAccount('probe', 'alice')
const probe = readFileSync(new URL('../test/fixtures/probe/probe.wasm', import.meta.url))
chain.setCode('probe', new Uint8Array(probe))

const limits = pushLimits({ explicit_billed_cpu_time: true, billed_cpu_time_us: 100 })

/** Microseconds of a transaction with this program: the best and the middle of many. */
function time(program: Program): { best: number; middle: number } {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const w = new Writer()
    w.blob(program.done())
    const trx = chain.transaction([action('probe', 'run', 'probe@active', w.bytes())])
    const meta = chain.metadata(trx)
    const session = chain.db.startSession()
    const begin = process.hrtime.bigint()
    const trace = pushTransaction(chain.block, meta, limits)
    times.push(Number(process.hrtime.bigint() - begin) / 1000)
    session.undo()
    if (trace.except) throw trace.except
  }
  times.sort((a, b) => a - b)
  return { best: times[0]!, middle: times[ROUNDS >> 1]! }
}

// The first round compiles the contract and warms the compiler.
for (let i = 0; i < 10; i++) time(new Program())
const empty = time(new Program())

function report(name: string, calls: number, build: (p: Program, i: number) => void): void {
  const program = new Program()
  for (let i = 0; i < calls; i++) build(program, i)
  const { best, middle } = time(program)
  const each = (best - empty.best) / calls
  console.log(
    `${name.padEnd(44)} ${String(calls).padStart(4)} ${(best / 1000).toFixed(3).padStart(8)} ` +
      `${(middle / 1000).toFixed(3).padStart(8)} ms ${each.toFixed(2).padStart(9)} us`,
  )
}

const data = new Uint8Array(64).fill(7)
const bits = (value: number): bigint => new BigUint64Array(Float64Array.of(value).buffer)[0]!
const quad = 0x3fff8000000000000000000000000000n

console.log(`${'program'.padEnd(44)} calls     best   middle        each`)
report('empty', 1, () => {})
report('loop of five million iterations', 1, (p) => p.u8(108).u32(5_000_000))
report('current_receiver', 200, (p) => p.u8(6))
report('has_auth', 200, (p) => p.u8(3).name('probe'))
report('is_account', 200, (p) => p.u8(5).name('alice'))
report('printi', 200, (p, i) => p.u8(48).u64(BigInt(i)))
report('printdf', 200, (p) => p.u8(52).u64(bits(Math.PI)))
report('printqf', 200, (p) => p.u8(53).u128(quad))
report('sha256, 64 bytes', 200, (p) => p.u8(57).bytes(data))
report('sha512, 64 bytes', 200, (p) => p.u8(58).bytes(data))
report('ripemd160, 64 bytes', 200, (p) => p.u8(59).bytes(data))
report('keccak256, 64 bytes', 200, (p) => p.u8(68).bytes(data).u32(32).u8(1))
report('db_store_i64, rows of 64 bytes', 200, (p, i) =>
  p.u8(80).name('s').name('t').name('probe').u64(BigInt(i)).bytes(data).u8(0),
)
report('db_find_i64, no table', 200, (p, i) =>
  p.u8(86).name('probe').name('s').name('t').u64(BigInt(i)).u8(0),
)
report('db_idx64_store', 200, (p, i) =>
  p.u8(90).u8(0).name('s').name('t').name('probe').u64(BigInt(i)).u64(BigInt(i)).u8(0),
)
report('db_idx_double_store', 200, (p, i) =>
  p.u8(92).u8(0).name('s').name('t').name('probe').u64(BigInt(i)).u64(bits(i)).u8(0),
)
report('db_idx256_store', 200, (p, i) =>
  p.u8(94).u8(0).name('s').name('t').name('probe').u64(BigInt(i)).wide(BigInt(i), 32).u8(0),
)
report('f64.add', 200, (p) => p.u8(103).u8(0).u64(bits(1.5)).u64(bits(2.25)))
report('__addtf3', 200, (p) => p.u8(100).u8(0).u128(quad).u128(quad))
report('__divtf3', 200, (p) =>
  p
    .u8(100)
    .u8(3)
    .u128(quad)
    .u128(quad + 5n),
)
report('__multi3', 200, (p) =>
  p
    .u8(100)
    .u8(4)
    .u128(1n << 70n)
    .u128(12345n),
)
report('send_inline, of nothing', 20, (p) => p.u8(8).bytes(packedAction()))

/** An action of another account without a contract. */
function packedAction(): Uint8Array {
  const w = new Writer()
  const act = action('alice', 'idle', 'probe@active')
  w.name(act.account)
  w.name(act.name)
  w.array(act.authorization, (_w, level) => {
    w.name(level.actor)
    w.name(level.permission)
  })
  w.blob(act.data)
  return w.bytes()
}
