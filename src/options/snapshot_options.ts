import type { OptionRow } from './row.ts'

export const SNAPSHOT_OPTIONS: readonly OptionRow[] = [
  {
    name: 'snapshot',
    kind: 'text',
    group: 'Chain',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Starts a new chain from a snapshot in the format of the reference; the data folder must have no state.',
  },
  {
    name: 'snapshots-dir',
    kind: 'text',
    group: 'Producer',
    default: 'snapshots',
    value: 'DIR',
    help: 'Where snapshots are made; a relative path is in the data folder.',
  },
  {
    name: 'integrity-hash-on-start',
    kind: 'switch',
    group: 'Chain',
    help: 'Logs the integrity hash of the state when the node starts.',
  },
  {
    name: 'integrity-hash-on-stop',
    kind: 'switch',
    group: 'Chain',
    help: 'Logs the integrity hash of the state when the node stops.',
  },
]
