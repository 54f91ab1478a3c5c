import type { Chain } from '../../../src/engine/chain/chain.ts'
import { chainJson } from '../../engine/snapshot/support/replayed_chain.ts'
import { firstDifference } from './first_difference.ts'

/** Rows of every table and of what belongs to the head, by section, as snapshots' JSON has them. */
export type StateRows = Record<string, unknown[]>

/** Sections that say of which version a snapshot is. */
const OF_VERSION = new Set(['magic_number', 'version', 'eosio::chain::chain_snapshot_header'])

export function rowsOfChain(chain: Chain): StateRows {
  return rowsOfSections(chainJson(chain))
}

export function rowsOfJson(text: Buffer): StateRows {
  return rowsOfSections(JSON.parse(text.toString()) as Record<string, { rows: unknown[] }>)
}

function rowsOfSections(sections: Record<string, { rows: unknown[] }>): StateRows {
  const rows: StateRows = {}
  for (const [name, section] of Object.entries(sections)) {
    if (!OF_VERSION.has(name)) rows[name] = section.rows
  }
  return rows
}

/** Every table compared row by row; the first difference of each. */
export function differencesOf(ours: StateRows, theirs: StateRows): string[] {
  const differences: string[] = []
  for (const [name, expected] of Object.entries(theirs)) {
    const rows = ours[name]
    if (rows?.length !== expected.length) {
      differences.push(`${name} has ${rows?.length} rows, expected ${expected.length}`)
      continue
    }
    const difference = firstDifference(rows, expected, name)
    if (difference) differences.push(difference)
  }
  for (const name of Object.keys(ours))
    if (!(name in theirs)) differences.push(`${name} is ours alone`)
  return differences
}
