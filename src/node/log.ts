/** Log lines on standard error: a time, a level, a text. What the user asked for goes to standard output. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Log = (level: LogLevel, message: string) => void

/** @param least the least urgent level that is written */
export function createLog(least: LogLevel, write: (line: string) => void): Log {
  const limit = LOG_LEVELS.indexOf(least)
  return (level, message) => {
    if (LOG_LEVELS.indexOf(level) > limit) return
    write(`${new Date().toISOString()} ${level.padEnd(5)} ${message}\n`)
  }
}
