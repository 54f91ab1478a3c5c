/**
 * Log lines on standard error: time, level, text, and fields for programs. Output that the user
 * requested goes to standard output.
 */
import type { Log, LogFields, LogLevel } from '../engine/index.ts'
import { hideKeys } from '../engine/options/secrets.ts'
import { LOG_LEVELS, type LOG_FORMATS } from '../options/node_options.ts'
import { visibleText } from './visible_text.ts'

/** The format of the log. */
export type LogFormat = (typeof LOG_FORMATS)[number]

/** How a log is written. */
export interface LogStyle {
  format: LogFormat
  /** Warnings and errors are red: a terminal shows them. */
  colors?: boolean
}

const RED = '\u001b[31m'
const PLAIN = '\u001b[39m'

/**
 * @param least the least urgent level that is written
 * @param write receives complete lines
 */
export function createLog(
  least: LogLevel,
  { format, colors = false }: LogStyle,
  write: (line: string) => void,
  now: () => Date = () => new Date(),
): Log {
  const limit = LOG_LEVELS.indexOf(least)
  const line = format === 'json' ? jsonLine : colors ? coloredLine : textLine
  return (level, message, fields) => {
    if (LOG_LEVELS.indexOf(level) > limit) return
    write(line(now().toISOString(), level, hideKeys(message), fields))
  }
}

/** One JSON object on each line. */
function jsonLine(time: string, level: LogLevel, message: string, fields?: LogFields): string {
  return JSON.stringify({ ...fields, time, level, message }) + '\n'
}

function coloredLine(time: string, level: LogLevel, message: string): string {
  const line = textLine(time, level, message)
  const is_red = level === 'warn' || level === 'error'
  return is_red ? `${RED}${line.slice(0, -1)}${PLAIN}\n` : line
}

/** Further lines of a message are indented, so that no message can imitate a log line. */
function textLine(time: string, level: LogLevel, message: string): string {
  const text = visibleText(message).replaceAll('\n', '\n    ')
  return `${time} ${level.padEnd(5)} ${text}\n`
}
