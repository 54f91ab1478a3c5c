import type { OptionRow } from '../engine/options/row.ts'

/** Options for folders, and for operations on them before the node starts. */
export const FOLDER_OPTIONS: readonly OptionRow[] = [
  {
    name: 'config-dir',
    kind: 'text',
    group: 'Node',
    value: 'DIR',
    commandLineOnly: true,
    help: 'Folder of the config file and of protocol-features-dir. Default: the data folder.',
  },
  {
    name: 'blocks-dir',
    kind: 'text',
    isPath: true,
    group: 'Chain',
    default: 'blocks',
    value: 'DIR',
    help: 'Folder of the blocks, relative to the data folder.',
  },
  {
    name: 'state-dir',
    kind: 'text',
    isPath: true,
    group: 'Chain',
    default: 'state',
    value: 'DIR',
    help: 'Folder of the state, relative to the data folder.',
  },
  {
    name: 'protocol-features-dir',
    kind: 'text',
    isPath: true,
    group: 'Chain',
    default: 'protocol_features',
    value: 'DIR',
    help: 'Folder of files that restrict protocol features on this node, in the format of nodeos (BUILTIN-NAME.json), relative to the folder of the config file.',
  },
  {
    name: 'replay-blockchain',
    kind: 'switch',
    group: 'Chain',
    commandLineOnly: true,
    help: 'Deletes the state before the start and makes it again from all blocks, or from the blocks after --snapshot.',
  },
  {
    name: 'print-genesis-json',
    kind: 'switch',
    group: 'Chain',
    commandLineOnly: true,
    help: 'Prints the genesis of the block log and exits.',
  },
  {
    name: 'extract-genesis-json',
    kind: 'text',
    isPath: true,
    group: 'Chain',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Writes the genesis of the block log to a file and exits.',
  },
]
