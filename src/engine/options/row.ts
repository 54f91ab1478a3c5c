/**
 * The form of an option: a switch without a value, one value, or a list with a value each time it
 * is given.
 */
export type OptionKind = 'switch' | 'bool' | 'text' | 'integer' | 'list'

/** One option of the command line and the config file. */
export interface OptionRow {
  readonly name: string
  readonly short?: string
  readonly kind: OptionKind
  readonly group: 'Node' | 'Development' | 'Chain' | 'Producer' | 'Network' | 'History' | 'HTTP'
  /** The default in the form of a config file; absent if there is none. */
  readonly default?: string
  /** Bounds of an integer, both inclusive. */
  readonly min?: number
  readonly max?: number
  /** The values of a text that has few. */
  readonly choices?: readonly string[]
  /**
   * Reads a value. Its error (ChainError, SyntaxError or OptionError) is what is wrong with the value. Settings get the
   * result by {@link OptionReader.parsed}.
   */
  readonly parse?: (value: string) => unknown
  /** Returns the errors of a value, one text for each; empty if it is valid. */
  readonly check?: (value: string) => string[]
  /** The placeholder of the value in --help. */
  readonly value?: string
  readonly help: string
  /** A file or folder, whose name is never empty. */
  readonly isPath?: boolean
  /** A list whose values in the config file count only if the command line has none. */
  readonly fromOnePlace?: boolean
  /** True when the option makes no sense in a config file. */
  readonly commandLineOnly?: boolean
  /** The switch that a text option without a value means on the command line. */
  readonly withoutValue?: string
}

/** The largest unsigned 32-bit integer. */
export const UINT32_MAX = 0xffffffff
/** The largest signed 32-bit integer. */
export const INT32_MAX = 0x7fffffff
