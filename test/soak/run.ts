/**
 * Hostile load for long: `make soak`, or `node --import tsx test/soak/run.ts [seconds] [seed]`. All attacks at
 * once; prints what came of them and how a normal client fared meanwhile. Fails where that client
 * was refused otherwise than for want of a connection, or the node does not end well.
 */
import { ATTACKS } from './attacks.ts'
import { isRefusal } from './normal_client.ts'
import { SoakedNode } from './soaked_node.ts'

const ROWS = 5000
const SAY_EACH_MS = 300_000

const seconds = Number(process.argv[2] ?? 3600)
const seed = Number(process.argv[3] ?? 1)
const soaked = await SoakedNode.start(ROWS)
const memory_before = soaked.memory()
const first = (await soaked.info()).head_block_num
const begin = performance.now()
const end = begin + seconds * 1000
const names = ATTACKS.map(({ name }) => name)
let next_word = begin + SAY_EACH_MS
const { rounds, tallies } = await soaked.attack(names, seed, () => {
  const now = performance.now()
  if (now >= next_word) {
    const { answered, failures } = soaked.client
    const minutes = Math.round((now - begin) / 60_000)
    console.log(
      `${minutes} min: ${answered} answers, ${failures.length} failures, ${soaked.memory()} MiB`,
    )
    next_word += SAY_EACH_MS
  }
  return now >= end
})
const last = (await soaked.info()).head_block_num
const missed = await soaked.missedSlots(first, last)
const memory_after = soaked.memory()
const ending = await soaked.stop()

for (const name of names) console.log(`${name}: ${rounds[name]} rounds`, tallies[name])
for (const [what, times] of Object.entries(soaked.client.times)) {
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]?.toFixed(1)
  console.log(`normal client, ${what}: ${times.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}
const refused = soaked.client.failures.filter(isRefusal)
const others = soaked.client.failures.filter((failure) => !isRefusal(failure))
console.log(`normal client: ${refused.length} times no connection, ${others.length} other failures`)
console.log(`blocks ${first} to ${last}: ${missed} slots missed`)
console.log(`memory: ${memory_before} MiB before, ${memory_after} MiB after`)
for (const failure of others.slice(0, 10)) console.error(failure)
if (others.length > 0 || ending.code !== 0) process.exitCode = 1
