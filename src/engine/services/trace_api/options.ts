import { INT32_MAX, UINT32_MAX, type OptionRow } from '../../options/row.ts'

/** The options of the trace API. spring: plugins/trace_api_plugin/trace_api_plugin.cpp */
export const TRACE_API_OPTIONS: readonly OptionRow[] = [
  {
    name: 'trace-rpc-abi',
    kind: 'list',
    group: 'History',
    value: 'ACCOUNT=FILE',
    help:
      'ABI in a JSON file (in the data folder if it is relative) by which the trace API decodes the actions of an ' +
      'account. May be given several times.',
  },
  {
    name: 'trace-no-abis',
    kind: 'switch',
    group: 'History',
    help: 'The trace API does not decode actions.',
  },
  {
    name: 'trace-chain-abis',
    kind: 'switch',
    group: 'History',
    help:
      'The trace API decodes actions by the ABIs that accounts have on the chain, where trace-rpc-abi gives none. ' +
      'On by default on a development chain. nodeos has no such option.',
  },
  {
    name: 'trace-dir',
    kind: 'text',
    isPath: true,
    group: 'History',
    default: 'traces',
    value: 'DIR',
    help: 'Folder of the traces for the trace API, in the data folder if it is relative.',
  },
  {
    name: 'trace-slice-stride',
    kind: 'integer',
    group: 'History',
    default: '10000',
    min: 1,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'Number of blocks of a slice of traces, which has three files.',
  },
  {
    name: 'trace-minimum-irreversible-history-blocks',
    kind: 'integer',
    group: 'History',
    default: '-1',
    min: -1,
    max: INT32_MAX,
    value: 'NUM',
    help:
      'Number of irreversible blocks whose traces are kept at least; older slices are deleted. -1: none is ' +
      'deleted.',
  },
  {
    name: 'trace-minimum-uncompressed-irreversible-history-blocks',
    kind: 'integer',
    group: 'History',
    default: '-1',
    min: -1,
    max: INT32_MAX,
    value: 'NUM',
    help:
      'Number of irreversible blocks whose traces stay uncompressed at least; older slices are compressed, and are ' +
      'slower to read. -1: none is compressed.',
  },
]
