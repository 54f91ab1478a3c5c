import { ChainError } from '../errors.ts'
import { nameFromString } from '../protocol/name.ts'
import { OptionError } from './option_error.ts'
import type { OptionReader } from './option_reader.ts'

/**
 * Parses a value. Errors name the option and the value.
 * @param shown the text that errors show for the value
 * @throws OptionError for a ChainError or SyntaxError of `parse`
 */
export function parsed<T>(
  option: string,
  text: string,
  parse: (text: string) => T,
  shown = text,
): T {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof ChainError) && !(error instanceof SyntaxError)) throw error
    throw new OptionError(`${option} ${shown}: ${error.message}`)
  }
}

/** The names that a list option gives. Its row parses names. */
export function namesOf(values: OptionReader, option: string): Set<bigint> {
  return new Set(values.parsed(option, nameFromString))
}

/** A switch whose default depends on other options. */
export function switchOr(values: OptionReader, option: string, otherwise: boolean): boolean {
  return values.isGiven(option) ? values.switch(option) : otherwise
}
