export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** What a log line says besides its text, for programs that read logs. */
export type LogFields = Readonly<Record<string, string | number | boolean>>

/** Writes a line to the node's log. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void
