/**
 * How long a token transfer takes to execute, keys recovered and bytes opened beforehand:
 * `node --import tsx bench/execution.ts [transfers]`. Prints microseconds per transfer, and what
 * opening the packed transaction costs.
 */
import { pushTransaction } from '../src/engine/chain/execution/push_transaction.ts'
import { WasmRuntime } from '../src/engine/vm/runtime.ts'
import { Harness, pushLimits } from '../test/engine/chain/support/harness.ts'
import { Token } from '../test/engine/chain/support/token.ts'

const BLOCK_TRANSFERS = 1000
const total = Number(process.argv[2] ?? 50_000)

const chain = new Harness({
  runtime: new WasmRuntime(),
  features: [
    'PREACTIVATE_FEATURE',
    'ONLY_BILL_FIRST_AUTHORIZER',
    'RAM_RESTRICTIONS',
    'ACTION_RETURN_VALUE',
  ],
})
const token = new Token()
token.deploy(chain)
chain.createAccount('alice', 'bob')
chain.ok([token.transfer('token', 'alice', '100000.0000 TOK')])
chain.ok([token.transfer('token', 'bob', '100000.0000 TOK')])

const limits = pushLimits({ explicit_billed_cpu_time: true, billed_cpu_time_us: 100 })
const sizes: number[] = []
let cpu_us = 0
for (let done = 0; done < total; done += BLOCK_TRANSFERS) {
  chain.nextBlock()
  const opened_at = performance.now()
  const metas = Array.from({ length: BLOCK_TRANSFERS }, (_, i) =>
    chain.metadata(
      chain.transaction(
        [
          i % 2
            ? token.transfer('alice', 'bob', '0.0001 TOK')
            : token.transfer('bob', 'alice', '0.0001 TOK'),
        ],
        { max_net_usage_words: 1000 + i },
      ),
    ),
  )
  const cpu = process.cpuUsage()
  const started = performance.now()
  for (const meta of metas) {
    const trace = pushTransaction(chain.block, meta, limits)
    if (trace.except) throw trace.except
  }
  const ended = performance.now()
  const used = process.cpuUsage(cpu)
  cpu_us += used.user + used.system
  sizes.push(((ended - started) * 1000) / BLOCK_TRANSFERS)
  if (done === 0) console.log(`opening and packing ${(started - opened_at).toFixed(1)} us`)
}
const sorted = sizes.toSorted((a, b) => a - b)
console.log(`transfers ${total}, CPU time of all threads ${(cpu_us / total).toFixed(1)} us each`)
console.log(
  `us each: best block ${sorted[0]!.toFixed(1)}, median ${sorted[sorted.length >> 1]!.toFixed(1)}`,
)
