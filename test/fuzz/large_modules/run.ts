/**
 * The fuzzer of large modules: `make fuzz-modules`, or
 * `node --import tsx test/fuzz/large_modules/run.ts [seconds] [first seed]`. Ends with the first
 * fault, which it prints with its seed; the same seed gives the same module.
 */
import { examine } from './examine.ts'

const seconds = Number(process.argv[2] ?? 60)
const first = Number(process.argv[3] ?? 1000)
const end = performance.now() + seconds * 1000
const tiers: Record<string, number> = {}
let greatest = { peak_mib: 0, compile_ms: 0 }
let seed = first
for (; performance.now() < end && process.exitCode === undefined; seed++) {
  const { fault, outcome } = examine(seed)
  if (outcome !== undefined) {
    tiers[outcome.tier] = (tiers[outcome.tier] ?? 0) + 1
    greatest = {
      peak_mib: Math.max(greatest.peak_mib, outcome.peak_mib),
      compile_ms: Math.max(greatest.compile_ms, outcome.compile_ms),
    }
  }
  if (fault === undefined) continue
  console.error(`seed ${seed}: ${fault}`)
  process.exitCode = 1
}
console.log(
  `seeds ${first} to ${seed - 1}: ${JSON.stringify(tiers)}, at most ${JSON.stringify(greatest)}`,
)
