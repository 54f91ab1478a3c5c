/** What a log line says besides its text, for machines that read it. */
export type LogFields = Readonly<Record<string, string | number | boolean>>

/** Takes a line of the log. */
export type Log = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: LogFields,
) => void
