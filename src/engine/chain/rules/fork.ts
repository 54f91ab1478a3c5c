/**
 * The mark of a fork of a public chain, in the state: a proposal of producers by a block that will
 * never exist. By the rules of legacy blocks no other proposal is taken beside an open one, so the
 * producers stay as they are; docs/differences.md has the rule for Savanna.
 */
import type { Database } from '../../state/database.ts'
import type { GlobalProperty } from '../../state/rows.ts'

/** Number of a block that no chain reaches. */
const NEVER = 0xffff_ffff

/** Whether the state is that of a fork, whose producers and finalizers stay as they are. */
export function isFork(db: Database): boolean {
  return isForkMark(db.global_property.single())
}

/** Whether these are the global properties of a fork. */
export function isForkMark({ proposed_schedule_block_num }: GlobalProperty): boolean {
  return proposed_schedule_block_num === NEVER
}

/** Makes the state that of a fork; open proposals are dropped. */
export function markFork(db: Database): void {
  db.global_property.modify(db.global_property.single(), (row) => {
    row.proposed_schedule_block_num = NEVER
    row.proposed_schedule = { version: 0, producers: [] }
  })
}
