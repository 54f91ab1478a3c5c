import type { OptionRow } from '../engine/options/row.ts'

/** Where things are kept, and what may be done with them before the node starts. */
export const FOLDER_OPTIONS: readonly OptionRow[] = [
  {
    name: 'config-dir',
    kind: 'text',
    group: 'Node',
    value: 'DIR',
    commandLineOnly: true,
    help: 'The folder of the config file and of protocol-features-dir; default: the data folder.',
  },
  {
    name: 'blocks-dir',
    kind: 'text',
    group: 'Chain',
    default: 'blocks',
    value: 'DIR',
    help: 'The folder of the blocks; relative to the data folder.',
  },
  {
    name: 'state-dir',
    kind: 'text',
    group: 'Chain',
    default: 'state',
    value: 'DIR',
    help: 'The folder of the state; relative to the data folder.',
  },
  {
    name: 'protocol-features-dir',
    kind: 'text',
    group: 'Chain',
    default: 'protocol_features',
    value: 'DIR',
    help: 'The folder of files that restrict protocol features on this node, in the format of the reference (BUILTIN-NAME.json); relative to the folder of the config file.',
  },
  {
    name: 'replay-blockchain',
    kind: 'switch',
    group: 'Chain',
    commandLineOnly: true,
    help: 'Deletes the state before starting and makes it again from the blocks, all or those after --snapshot.',
  },
  {
    name: 'print-genesis-json',
    kind: 'switch',
    group: 'Chain',
    commandLineOnly: true,
    help: 'Print the genesis that the block log begins with and exit.',
  },
  {
    name: 'extract-genesis-json',
    kind: 'text',
    group: 'Chain',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Write the genesis that the block log begins with to a file and exit.',
  },
]
