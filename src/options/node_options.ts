import { PLUGINS } from '../engine/services/plugins.ts'
import { pluginErrors } from './plugins.ts'
import type { OptionRow } from '../engine/options/row.ts'

/** The options of the node itself. */
export const NODE_OPTIONS: readonly OptionRow[] = [
  {
    name: 'help',
    short: 'h',
    kind: 'switch',
    group: 'Node',
    commandLineOnly: true,
    help: 'Prints this text and exits.',
  },
  {
    name: 'version',
    short: 'v',
    kind: 'switch',
    group: 'Node',
    commandLineOnly: true,
    help: 'Prints the version and exits.',
  },
  {
    name: 'data-dir',
    short: 'd',
    kind: 'text',
    group: 'Node',
    default: 'data',
    value: 'DIR',
    commandLineOnly: true,
    help: 'Folder of all data of the node: state, blocks, config file.',
  },
  {
    name: 'config',
    short: 'c',
    kind: 'text',
    group: 'Node',
    value: 'FILE',
    commandLineOnly: true,
    help: 'Config file with one "name = value" on each line. Default: config.ini in the data folder, if it exists.',
  },
  {
    name: 'print-config',
    kind: 'switch',
    group: 'Node',
    commandLineOnly: true,
    help: 'Prints the options in force as a config file and exits; private keys are omitted.',
  },
  {
    name: 'delete-all-blocks',
    kind: 'switch',
    group: 'Node',
    commandLineOnly: true,
    help: 'Deletes the state and the blocks in the data folder before the start.',
  },
  {
    name: 'stop-with-stdin',
    kind: 'switch',
    group: 'Node',
    commandLineOnly: true,
    help: 'Stops the node when its standard input ends: a program that starts a node through a pipe takes it along, however that program ends.',
  },
  {
    name: 'log-level',
    kind: 'text',
    group: 'Node',
    default: 'info',
    value: 'LEVEL',
    help: 'Log level: error, warn, info or debug.',
  },
  {
    name: 'log-format',
    kind: 'text',
    group: 'Node',
    default: 'text',
    value: 'FORMAT',
    help: 'Format of the log on standard error: text, or json with one object on each line.',
  },
  {
    name: 'plugin',
    kind: 'list',
    group: 'Node',
    value: 'NAME',
    check: pluginErrors,
    help: `Plugin of nodeos, such as eosio::chain_api_plugin. If any is given, the API consists of the groups of the given plugins, and nothing is produced without producer-name. Known: ${[...PLUGINS.keys()].join(', ')}; others are refused.`,
  },
]
