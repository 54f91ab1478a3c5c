import type { TransactionTrace } from '../engine/index.ts'

/** What the contracts of a transaction printed, in the order of its actions. */
export function consoleOf({ action_traces }: TransactionTrace): string {
  return action_traces.map(({ console }) => textOf(console)).join('')
}

/** @param bytes one character for each byte */
export function textOf(bytes: string): string {
  return bytes === '' ? '' : Buffer.from(bytes, 'latin1').toString('utf8')
}
