import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes the genesis of a chain whose transactions may take long: for nodes that bill real time,
 * since this machine may be busy with something else.
 * @returns options that start such a chain
 */
export function patientGenesis(folder: string): string[] {
  const file = join(folder, 'genesis.json')
  const initial_configuration = {
    max_block_cpu_usage: 100_000_000,
    max_transaction_cpu_usage: 90_000_000,
  }
  writeFileSync(file, JSON.stringify({ initial_configuration }))
  return ['--genesis-json', file, '--producer-name', 'eosio', '--enable-stale-production']
}
