import { UINT32_MAX, type OptionRow } from '../../options/row.ts'

/** The options of state history. spring: plugins/state_history_plugin/state_history_plugin.cpp */
export const STATE_HISTORY_OPTIONS: readonly OptionRow[] = [
  {
    name: 'trace-history',
    kind: 'switch',
    group: 'History',
    help: 'Writes the traces of all transactions to the state history.',
  },
  {
    name: 'chain-state-history',
    kind: 'switch',
    group: 'History',
    help: 'Writes the rows of the state that each block changes to the state history.',
  },
  {
    name: 'finality-data-history',
    kind: 'switch',
    group: 'History',
    help: 'Writes the data that light clients need to follow finality to the state history.',
  },
  {
    name: 'trace-history-debug-mode',
    kind: 'switch',
    group: 'History',
    help: 'Adds times, console output and texts of exceptions to the traces of state history.',
  },
  {
    name: 'state-history-endpoint',
    kind: 'text',
    group: 'History',
    default: '127.0.0.1:8080',
    value: 'ADDRESS',
    help:
      'Address for readers of state history (WebSocket). Anyone who reaches it can read everything; empty: ' +
      'no address.',
  },
  {
    name: 'state-history-unix-socket-path',
    kind: 'text',
    group: 'History',
    value: 'PATH',
    help: 'Path of a unix socket for readers of state history, in the data folder if it is relative.',
  },
  {
    name: 'state-history-dir',
    kind: 'text',
    isPath: true,
    group: 'History',
    default: 'state-history',
    value: 'DIR',
    help: 'Folder of the history logs, in the data folder if it is relative.',
  },
  {
    name: 'state-history-stride',
    kind: 'integer',
    group: 'History',
    min: 1,
    max: UINT32_MAX,
    value: 'NUM',
    help:
      'Splits the logs after each block whose number is a multiple of this. Default, if another option of ' +
      'splitting is given: 1000000.',
  },
  {
    name: 'state-history-retained-dir',
    kind: 'text',
    isPath: true,
    group: 'History',
    value: 'DIR',
    help: 'Folder of the split logs, in the folder of the logs if it is relative. Default: retained.',
  },
  {
    name: 'state-history-archive-dir',
    kind: 'text',
    group: 'History',
    value: 'DIR',
    help:
      'Folder to which the oldest split logs are moved, in the folder of the logs if it is relative. Empty: they ' +
      'are deleted. Default: archive.',
  },
  {
    name: 'max-retained-history-files',
    kind: 'integer',
    group: 'History',
    min: 0,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'Number of split logs of each kind that readers can read; older ones are archived or deleted.',
  },
  {
    name: 'state-history-log-retain-blocks',
    kind: 'integer',
    group: 'History',
    min: 0,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'Keeps only this number of the last blocks in the logs, at least 1000. Cannot be combined with split logs.',
  },
  {
    name: 'delete-state-history',
    kind: 'switch',
    group: 'History',
    commandLineOnly: true,
    help: 'Deletes the history logs before the start.',
  },
]
