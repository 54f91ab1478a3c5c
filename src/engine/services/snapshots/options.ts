import { UINT32_MAX, type OptionRow } from '../../options/row.ts'

/** The options of snapshots. */
export const SNAPSHOT_OPTIONS: readonly OptionRow[] = [
  {
    name: 'snapshots-dir',
    kind: 'text',
    isPath: true,
    group: 'Producer',
    default: 'snapshots',
    value: 'DIR',
    help: 'Folder of snapshots, relative to the data folder.',
  },
  {
    name: 'max-retained-snapshots',
    kind: 'integer',
    group: 'Producer',
    default: '100',
    min: 0,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'Number of snapshots that are kept for each schedule_snapshot request with an interval. A new snapshot removes the oldest one of the same request. 0 keeps all; the disk may then become full.',
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
