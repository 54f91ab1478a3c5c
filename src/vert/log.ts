/**
 * A logger with the interface of the package `loglevel`, which VeRT exports: tests set its level, and may write lines of
 * their own. The engine writes nothing to it.
 */

const LEVELS = { TRACE: 0, DEBUG: 1, INFO: 2, WARN: 3, ERROR: 4, SILENT: 5 } as const

/** A level by its number, or by its name in any case. */
export type LogLevel = number | string

type Write = (...parts: unknown[]) => void

/** Writes lines to the console from a level on. */
export class Logger {
  readonly levels: typeof LEVELS = LEVELS
  private level: number
  private default_level: number

  /** @param level of the lines that are written */
  constructor(level: LogLevel) {
    this.level = levelOf(level)
    this.default_level = this.level
  }

  /** With the calls that led to it. */
  readonly trace: Write = (...parts) => this.write(LEVELS.TRACE, 'trace', parts)
  /** For finding a fault. */
  readonly debug: Write = (...parts) => this.write(LEVELS.DEBUG, 'debug', parts)
  /** The same as debug. */
  readonly log: Write = this.debug
  /** What happens. */
  readonly info: Write = (...parts) => this.write(LEVELS.INFO, 'info', parts)
  /** What may be wrong. */
  readonly warn: Write = (...parts) => this.write(LEVELS.WARN, 'warn', parts)
  /** What is wrong. */
  readonly error: Write = (...parts) => this.write(LEVELS.ERROR, 'error', parts)

  /** The number of the level. */
  getLevel(): number {
    return this.level
  }

  /** Lines of lower levels are not written. @throws TypeError for a level that does not exist */
  setLevel(level: LogLevel): void {
    this.level = levelOf(level)
  }

  /** The level of {@link resetLevel}, and of now. @throws TypeError for a level that does not exist */
  setDefaultLevel(level: LogLevel): void {
    this.default_level = levelOf(level)
    this.level = this.default_level
  }

  /** The default level again. */
  resetLevel(): void {
    this.level = this.default_level
  }

  /** Every line is written. */
  enableAll(): void {
    this.level = LEVELS.TRACE
  }

  /** No line is written. */
  disableAll(): void {
    this.level = LEVELS.SILENT
  }

  private write(
    level: number,
    name: 'trace' | 'debug' | 'info' | 'warn' | 'error',
    parts: unknown[],
  ): void {
    if (level >= this.level) console[name](...parts)
  }
}

function levelOf(level: LogLevel): number {
  const number =
    typeof level === 'number' ? level : LEVELS[level.toUpperCase() as keyof typeof LEVELS]
  if (number >= LEVELS.TRACE && number <= LEVELS.SILENT) return number
  throw new TypeError(
    `there is no level ${level} of a log: trace, debug, info, warn, error, silent`,
  )
}

/** The logger of VeRT: `LOG_LEVEL` selects its level at the start. */
export const log: Logger = new Logger(startLevel())

/** An unknown level is that of VeRT without one. */
function startLevel(): string {
  const level = process.env['LOG_LEVEL'] ?? ''
  return level.toUpperCase() in LEVELS ? level : 'warn'
}
