/**
 * The fuzzer of the engine: `make fuzz-engine`, or
 * `node --import tsx test/fuzz/run.ts [seconds] [first seed]`. Ends with the first difference, which it
 * prints with its seed; the same seed gives the same programs.
 */
import { Comparison } from './comparison.ts'

const PROGRAMS_OF_A_SEED = 400

const seconds = Number(process.argv[2] ?? 60)
const first = Number(process.argv[3] ?? 1000)
const end = performance.now() + seconds * 1000
let programs = 0
let succeeded = 0
let seed = first
for (; performance.now() < end && process.exitCode === undefined; seed++) {
  const comparison = new Comparison(seed)
  for (let i = 0; i < PROGRAMS_OF_A_SEED; i++) {
    const difference = comparison.next()
    programs++
    if (difference === undefined) continue
    console.error(`seed ${seed}, program ${i} differs: ${difference}`)
    process.exitCode = 1
    break
  }
  succeeded += comparison.succeeded
}
console.log(`seeds ${first} to ${seed - 1}: ${programs} programs, ${succeeded} without an error`)
