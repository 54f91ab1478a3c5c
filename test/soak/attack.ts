import type { Random } from '../fuzz/random.ts'

/** The node that is attacked, and what there is on its chain. */
export interface Target {
  url: string
  host: string
  port: number
}

/** What came of attacks: kind -> how often. */
export class Tally {
  readonly kinds: Record<string, number> = {}

  count(kind: string | number): void {
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1
  }
}

/** One way to be a nuisance. */
export interface Attack {
  name: string
  /** A bounded piece of it; may fail where the node takes no connection. */
  round(target: Target, tally: Tally, random: Random): Promise<void>
}

/** The same round so many times at once. */
export function many(count: number, round: Attack['round']): Attack['round'] {
  return async (...about) => {
    await Promise.all(Array.from({ length: count }, () => round(...about)))
  }
}
