import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OptionRow } from '../engine/options/row.ts'
import { OptionError } from '../engine/options/option_error.ts'
import type { OptionReader } from '../engine/options/option_reader.ts'
import { parsed } from '../engine/options/option_text.ts'
import { REFUSED } from './refused.ts'
import { OPTIONS } from './table.ts'

export { OptionError } from '../engine/options/option_error.ts'

const BY_NAME = new Map(OPTIONS.map((row) => [row.name, row]))
const BY_SHORT = new Map(OPTIONS.flatMap((row) => (row.short ? [[row.short, row] as const] : [])))

/** A value in its usual form, and what the row's `parse` makes of it. */
interface GivenValue {
  readonly text: string
  readonly parsed: unknown
}

type Given = Map<string, GivenValue[]>

/** The options in force: what was given, else the default. Reading an option of another kind is a bug. */
export class OptionValues implements OptionReader {
  private readonly given: ReadonlyMap<string, readonly GivenValue[]>

  constructor(given: ReadonlyMap<string, readonly GivenValue[]>) {
    this.given = given
  }

  /** True when the user gave the option, on the command line or in the config file. */
  isGiven(name: string): boolean {
    return this.given.has(rowOf(name, undefined).name)
  }

  switch(name: string): boolean {
    rowOf(name, 'switch')
    return this.given.get(name)?.at(-1)?.text === 'true'
  }

  bool(name: string): boolean {
    return this.last(rowOf(name, 'bool')) === 'true'
  }

  text(name: string): string | undefined {
    return this.last(rowOf(name, 'text'))
  }

  /**
   * The value of a text that has few values.
   * @param choices those of the row
   * @throws Error the row has others, which is a bug
   */
  choice<T extends string>(name: string, choices: readonly T[]): T {
    const row = rowOf(name, 'text')
    if (row.choices !== choices) throw new Error(`these are not the choices of ${name}`)
    return this.last(row) as T
  }

  integer(name: string): number {
    return Number(this.last(rowOf(name, 'integer')))
  }

  list(name: string): readonly string[] {
    rowOf(name, 'list')
    return textsOf(this.given.get(name) ?? [])
  }

  /**
   * The values as the option's row parses them.
   * @throws Error the row parses them in another way, which is a bug
   */
  parsed<T>(name: string, parse: (text: string) => T): readonly T[] {
    const row = rowOf(name, undefined)
    if (row.parse !== parse) throw new Error(`this is not how ${name} is parsed`)
    const given = this.given.get(name)
    if (given) return given.map((value) => value.parsed as T)
    return row.default === undefined ? [] : [parse(row.default)]
  }

  /** Every option in force as [name, value] pairs, in the order of the table. */
  entries(): [OptionRow, string][] {
    return OPTIONS.flatMap((row) => {
      const given = this.given.get(row.name)
      const values = given ? textsOf(given) : row.default === undefined ? [] : [row.default]
      return values.map((value): [OptionRow, string] => [row, value])
    })
  }

  /**
   * The same values, with some of other options, and without those of some.
   * @throws OptionError for a value that its option does not have
   */
  changed(given: Readonly<Record<string, string>>, without: readonly string[] = []): OptionValues {
    const values = new Map(this.given)
    for (const name of without) values.delete(rowOf(name, undefined).name)
    for (const [name, value] of Object.entries(given)) {
      const row = rowOf(name, undefined)
      values.set(row.name, [readValue(row, value, 'this node')])
    }
    return new OptionValues(values)
  }

  private last(row: OptionRow): string | undefined {
    return this.given.get(row.name)?.at(-1)?.text ?? row.default
  }
}

const textsOf = (values: readonly GivenValue[]): string[] => values.map(({ text }) => text)

/**
 * Reads the command line and the config file that it names. The command line takes precedence; the
 * values of a list in the file follow those of the command line. All errors are reported together,
 * so that a configuration of nodeos can be corrected in one step.
 * @param argv the arguments after the program's name
 * @throws OptionError with a text for the user, one line for each error
 */
export function parseOptions(argv: readonly string[]): OptionValues {
  const wrong: string[] = []
  const given = parseCommandLine(argv, wrong)
  const last = (name: string) => given.get(name)?.at(-1)?.text
  const file = last('config')
  const config_dir = last('config-dir')
  const folder = config_dir ?? last('data-dir') ?? 'data'
  const path = file === undefined ? join(folder, 'config.ini') : resolve(config_dir ?? '', file)
  for (const [name, values] of readConfig(path, file !== undefined, wrong)) {
    const before = given.get(name)
    if (!before) given.set(name, values)
    else if (isJoined(rowOf(name, undefined))) before.push(...values)
  }
  if (wrong.length > 0) throw new OptionError(wrong.join('\n'))
  return new OptionValues(given)
}

/** As in the reference, nearly every list has the values of both places. */
function isJoined({ kind, fromOnePlace }: OptionRow): boolean {
  return kind === 'list' && !fromOnePlace
}

/** Names of the options on a command line, whatever their values. */
export function namesOnCommandLine(argv: readonly string[]): ReadonlySet<string> {
  return new Set(parseCommandLine(argv, []).keys())
}

/** The place of an option in messages when it is not in a file. */
const COMMAND_LINE = 'command line'

/** @param wrong takes what is wrong, each with its place */
function parseCommandLine(argv: readonly string[], wrong: string[]): Given {
  const given: Given = new Map()
  const isValue = (i: number) => i < argv.length && !argv[i]!.startsWith('-')
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!
    const option = collect(wrong, () => splitArgument(argument))
    if (!option) {
      // Values after an unknown option belong to it.
      while (argument.startsWith('-') && isValue(i + 1)) i++
      continue
    }
    const [row, attached] = withoutValue(option, isValue(i + 1))
    const take = (value: string) => collect(wrong, () => add(given, row, value, COMMAND_LINE))
    if (row.kind === 'switch') {
      take(attached ?? 'true')
      continue
    }
    const value = attached ?? argv[++i]
    if (value === undefined) {
      wrong.push(`${COMMAND_LINE}: --${row.name} needs a value (${row.value})`)
      continue
    }
    take(value)
    // As in the reference, a list takes every value up to the next option: `-p alice bob`.
    while (row.kind === 'list' && isValue(i + 1)) take(argv[++i]!)
  }
  return given
}

/** The result of an action. Errors of options are collected; there is then no result. */
function collect<T>(wrong: string[], action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    wrong.push(error.message)
    return undefined
  }
}

/** `--name=value`, `--name`, `-n` or `-nvalue` to the option and the value attached to it, if any. */
function splitArgument(argument: string): [OptionRow, string | undefined] {
  if (argument.startsWith('--')) {
    const equals = argument.indexOf('=')
    if (equals < 0) return [abbreviated(argument.slice(2)), undefined]
    return [abbreviated(argument.slice(2, equals)), argument.slice(equals + 1)]
  }
  const row = argument.startsWith('-') ? BY_SHORT.get(argument.charAt(1)) : undefined
  if (!row) {
    throw new OptionError(
      `${COMMAND_LINE}: unknown argument "${argument}"; --help lists every option`,
    )
  }
  if (argument.length === 2) return [row, undefined]
  if (row.kind === 'switch') throw new OptionError(`${COMMAND_LINE}: -${row.short} takes no value`)
  return [row, argument.slice(2)]
}

/** Reads `name = value` lines; what follows a `#` is a comment. The name of an option after a line
 *  `[section]` begins with this section, as in the reference, so it is unknown.
 *  @param wrong takes what is wrong, each with its line */
function readConfig(path: string, mustExist: boolean, wrong: string[]): Given {
  const given: Given = new Map()
  let text
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (mustExist || (error as NodeJS.ErrnoException).code !== 'ENOENT') {
      wrong.push(`cannot read the config file: ${(error as Error).message}`)
    }
    return given
  }
  let section = ''
  text.split(/\r?\n/).forEach((raw, index) => {
    const line = raw.replace(/#.*/, '').trim()
    const opened = /^\[(.*)\]$/.exec(line)?.[1]
    if (opened !== undefined) section = opened.replace(/\.?$/, '.')
    else if (line !== '')
      collect(wrong, () => readLine(given, line, section, `${path}:${index + 1}`))
  })
  return given
}

/** @param place the text for the line in messages */
function readLine(given: Given, line: string, section: string, place: string): void {
  const equals = line.indexOf('=')
  if (equals < 1) throw new OptionError(`${place}: expected "name = value"`)
  const row = known(section + line.slice(0, equals).trim(), place)
  if (row.commandLineOnly) throw new OptionError(`${place}: ${row.name} is for the command line`)
  add(given, row, line.slice(equals + 1).trim(), place)
}

/** The option that is meant where an option has no value. */
function withoutValue(
  option: [OptionRow, string | undefined],
  is_followed: boolean,
): [OptionRow, string | undefined] {
  const [{ withoutValue: other }, attached] = option
  return other === undefined || attached !== undefined || is_followed
    ? option
    : [rowOf(other, 'switch'), undefined]
}

/** The option of this name, or the only one whose name begins with it. spring: boost program_options (allow_guessing) */
function abbreviated(name: string): OptionRow {
  if (name === '' || BY_NAME.has(name) || REFUSED.has(name)) return known(name)
  const names = [...BY_NAME.keys(), ...REFUSED.keys()].filter((full) => full.startsWith(name))
  if (names.length > 1) {
    throw new OptionError(
      `${COMMAND_LINE}: option ${name} is ambiguous: it may be ${CHOICE.format(names)}`,
    )
  }
  return known(names[0] ?? name)
}

function known(name: string, place = COMMAND_LINE): OptionRow {
  const row = BY_NAME.get(name)
  if (row) return row
  const reason = REFUSED.get(name)
  if (reason) throw new OptionError(`${place}: option ${name} is refused: ${reason}`)
  throw new OptionError(`${place}: unknown option ${name}; --help lists every option`)
}

function add(given: Given, row: OptionRow, text: string, place: string): void {
  const value = readValue(row, text, place)
  const values = given.get(row.name)
  if (!values) given.set(row.name, [value])
  else if (row.kind === 'list') values.push(value)
  else throw new OptionError(`${place}: option ${row.name} is given twice`)
}

const CHOICE = new Intl.ListFormat('en', { type: 'disjunction' })

/** As the reference reads them: no text is true. */
const TRUE = ['', 'true', 'on', 'yes', '1']
const FALSE = ['false', 'off', 'no', '0']

function readValue(row: OptionRow, value: string, place: string): GivenValue {
  const wrong = (what: string) => new OptionError(`${place}: option ${row.name} ${what}`)
  if (row.kind === 'switch' || row.kind === 'bool') {
    const text = value.toLowerCase()
    if (TRUE.includes(text)) return { text: 'true', parsed: undefined }
    if (FALSE.includes(text)) return { text: 'false', parsed: undefined }
    throw wrong(`is true or false, not "${value}"`)
  }
  if (row.kind === 'integer') {
    const number = Number(value)
    const inside = number >= row.min! && number <= row.max!
    if (!/^-?\d+$/.test(value) || !inside) {
      throw wrong(`is from ${row.min} to ${row.max}, not "${value}"`)
    }
  }
  if (row.isPath && value === '') throw wrong('is the name of a file or folder, and not empty')
  if (row.choices?.includes(value) === false) {
    throw wrong(`is ${CHOICE.format(row.choices)}, not "${value}"`)
  }
  const errors = row.check?.(value) ?? []
  const { parse } = row
  const result = parse && collect(errors, () => parsed(row.name, value, parse))
  if (errors.length > 0) throw new OptionError(errors.map((text) => `${place}: ${text}`).join('\n'))
  return { text: value, parsed: result }
}

function rowOf(name: string, kind: OptionRow['kind'] | undefined): OptionRow {
  const row = BY_NAME.get(name)
  if (!row || (kind && row.kind !== kind)) throw new Error(`no ${kind ?? ''} option ${name}`)
  return row
}
