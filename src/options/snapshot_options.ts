import type { OptionRow } from '../engine/options/row.ts'
import { UINT32_MAX } from '../engine/options/row.ts'

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
    name: 'max-retained-snapshots',
    kind: 'integer',
    group: 'Producer',
    default: '100',
    min: 0,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'How many snapshots of each schedule_snapshot request with a spacing are retained: a new one removes the oldest of the same request. 0 retains all, and the disk may fill.',
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
