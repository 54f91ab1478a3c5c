/**
 * Kills a node many times and looks whether anything is lost: `make crash`, with KILLS, SEED and
 * SECONDS, after which it ends earlier. A seed chooses the kinds of kills and their delays; what they
 * meet is a matter of the clock.
 */
import { Rounds } from './rounds.ts'

const setting = (name: string, otherwise: number) => Number(process.env[name] || otherwise)
const kills = setting('KILLS', 100)
const seconds = setting('SECONDS', Infinity)
const seed = setting('SEED', 1)

const began = performance.now()
const elapsed = () => Math.round((performance.now() - began) / 1000)
const rounds = new Rounds(seed)
try {
  await rounds.begin()
  while (rounds.kills < kills && elapsed() < seconds) {
    await rounds.once()
    if (rounds.rounds % 10 === 0) console.log(`${rounds.kills} kills, block ${rounds.blocks}`)
  }
  await rounds.end()
} catch (error) {
  console.error(`seed ${seed}, kill ${rounds.kills}, in ${rounds.folder}:`, error)
  console.error(rounds.stderr)
  await rounds.abandon()
  process.exit(1)
}
const { blocks, transactions, replays, snapshot_starts } = rounds
console.log(`seed ${seed}: ${rounds.kills} kills in ${elapsed()} s, nothing lost`)
console.log(`${blocks} blocks with ${transactions} transactions, all executed twice`)
console.log(`${replays} replays of the files, ${snapshot_starts} starts from snapshots`)
for (const [what, count] of [...rounds.counts].sort()) console.log(`${what}: ${count}`)
