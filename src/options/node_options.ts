import { PLUGINS } from '../engine/services/plugins.ts'
import { pluginErrors } from './plugins.ts'
import type { LogLevel } from '../engine/log.ts'
import type { OptionRow } from '../engine/options/row.ts'

/** The levels of log lines, the most important first. */
export const LOG_LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug']

/** The formats of log lines: for people, and one JSON object a line. */
export const LOG_FORMATS = ['text', 'json'] as const

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
    name: 'full-version',
    kind: 'switch',
    group: 'Node',
    commandLineOnly: true,
    help: 'Prints the version with the name of the program, as get_info has it, and exits.',
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
    name: 'print-default-config',
    kind: 'switch',
    group: 'Node',
    commandLineOnly: true,
    help: 'Prints a config file that explains every option, with its default, and exits.',
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
    help: 'Stops the node when its standard input ends: a node that a program starts through a pipe then ends with this program, however that ends.',
  },
  {
    name: 'warm-up',
    kind: 'bool',
    group: 'Node',
    default: 'true',
    help: 'Executes sample transactions in short steps during the first seconds, so that V8 has compiled the code before users need it. This takes 2 to 3 seconds of CPU, which a node that runs for seconds only, as in tests, can save.',
  },
  {
    name: 'log-level',
    kind: 'text',
    group: 'Node',
    default: 'info',
    choices: LOG_LEVELS,
    value: 'LEVEL',
    help: 'Log level: error, warn, info or debug.',
  },
  {
    name: 'log-format',
    kind: 'text',
    group: 'Node',
    default: 'text',
    choices: LOG_FORMATS,
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
