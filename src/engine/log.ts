/** The level of a log line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The fields of a log line in addition to its text, for programs that read logs. */
export type LogFields = Readonly<Record<string, string | number | boolean>>

/** Writes a line to the node's log. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void
