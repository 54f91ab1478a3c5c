import type { OptionRow } from '../engine/options/row.ts'
import { REFUSED } from './refused.ts'
import { OPTIONS } from './table.ts'
import type { OptionValues } from './parse.ts'
import { hideKeys } from '../engine/options/secrets.ts'

const WIDTH = 100
const GROUPS = ['Node', 'Development', 'Chain', 'Producer', 'Network', 'History', 'HTTP'] as const
const INDENT = 30

/** The text of --help: every option, grouped, with its default, and the reference's options that are refused. */
export function helpText(version: string): string {
  const lines = [
    `pronghorn ${version}: an Antelope blockchain node`,
    '',
    'Usage: pronghorn [options]',
    '       pronghorn init [FOLDER]                     a small project with a contract and its test',
    '       pronghorn snapshot to-json FILE [OUTPUT]   the JSON form of a snapshot; "-" prints it',
    '',
    'Without options, it runs a development chain in ./data and produces blocks for eosio.',
    'Options can also be given in a config file, with one "name = value" on each line.',
  ]
  for (const group of GROUPS) {
    lines.push('', `${group} options:`)
    for (const row of OPTIONS.filter((option) => option.group === group))
      lines.push(...describe(row))
  }
  lines.push('', 'Options of nodeos that this node refuses, with an error that gives the reason:')
  lines.push(...wrap([...REFUSED.keys()].sort().join(', '), 2))
  return lines.join('\n') + '\n'
}

/** The options in force in the form of a config file. Private keys are omitted, and their lines are comments. */
export function printConfig(values: OptionValues): string {
  const lines = values
    .entries()
    .filter(([row]) => !row.commandLineOnly)
    .map(([row, value]) => {
      const shown = hideSecret(row, hideKeys(value))
      return `${shown === value ? '' : '# '}${row.name} = ${shown}`
    })
  return lines.join('\n') + '\n'
}

/** A config file with every option as a comment: its text of help, then its default or no value. */
export function printDefaultConfig(): string {
  return OPTIONS.filter((row) => !row.commandLineOnly)
    .map((row) => {
      const text = wrap(row.help, 0).map((line) => `# ${line}\n`)
      const value = row.default ?? (row.kind === 'switch' ? 'false' : '')
      return `${text.join('')}# ${row.name} = ${value}`.trimEnd() + '\n'
    })
    .join('\n')
}

/** `PUBLIC=KEY:PRIVATE` without its private part: secrets are neither printed nor logged. */
function hideSecret(row: OptionRow, value: string): string {
  if (row.name !== 'signature-provider') return value
  const [shown = ''] = /^(?:EOS|PUB_)\w*=KEY:/.exec(value) ?? []
  return `${shown}(hidden)`
}

function describe(row: OptionRow): string[] {
  const name = `  ${row.short ? `-${row.short}, ` : ''}--${row.name}${row.value ? ` ${row.value}` : ''}`
  const defaults = row.default === undefined ? '' : ` (default: ${row.default})`
  const text = wrap(row.help + defaults, INDENT)
  if (name.length < INDENT - 1)
    return [name.padEnd(INDENT) + text[0]!.trimStart(), ...text.slice(1)]
  return [name, ...text]
}

function wrap(text: string, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(' '.repeat(indent) + line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, ' '.repeat(indent) + line]
}
