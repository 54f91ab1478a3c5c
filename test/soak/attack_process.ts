/**
 * Runs attacks side by side in a process of its own, so that the normal client's times are the node's
 * alone. Tells of each round; when it is asked to stop it tells what came of everything and ends.
 */
import { Random } from '../fuzz/random.ts'
import { Tally, type Target } from './attack.ts'
import { ATTACKS } from './attacks.ts'

export interface AttackOrder {
  target: Target
  names: readonly string[]
  seed: number
}

export type AttackReport = { round: string } | { tallies: Record<string, Tally['kinds']> }

const ROUND_MS = 15_000

const { target, names, seed } = JSON.parse(process.argv[2]!) as AttackOrder
const report = (message: AttackReport): unknown => process.send!(message)

/** A round that hangs is one of its own kind, not the end of all rounds. */
async function bounded(round: Promise<void>, tally: Tally): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      tally.count('no end')
      resolve()
    }, ROUND_MS)
  })
  // With all connections taken, an attacker gets none either.
  const refused = ({ code, message }: NodeJS.ErrnoException) => tally.count(code ?? message)
  await Promise.race([round.catch(refused), late])
  clearTimeout(timer)
}

let stopped = false
process.once('message', () => (stopped = true))
const tallies: Record<string, Tally['kinds']> = {}
await Promise.all(
  ATTACKS.filter(({ name }) => names.includes(name)).map(async (attack, i) => {
    const tally = new Tally()
    const random = new Random(seed + i)
    tallies[attack.name] = tally.kinds
    while (!stopped) {
      await bounded(attack.round(target, tally, random), tally)
      report({ round: attack.name })
    }
  }),
)
report({ tallies })
process.disconnect()
