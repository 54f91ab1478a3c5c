import { accountName, ITEMS, scattered, TOKEN, type GrowthSize } from './growth_state.ts'

type Question = (size: GrowthSize, n: number) => Record<string, unknown>

const row = (n: number, { rows }: GrowthSize): string => String(scattered(n, rows))
const account = (n: number, { accounts }: GrowthSize): string => accountName(scattered(n, accounts))

const items = { code: ITEMS, scope: ITEMS, table: ITEMS, json: true, limit: 1 }
const by_rank = { index_position: '2', key_type: 'i64' }

/** Reads that look up one row or account, by what they look for. */
const QUESTIONS: Readonly<Record<string, [operation: string, ask: Question]>> = {
  get_account: ['get_account', (size, n) => ({ account_name: account(n, size) })],
  get_currency_balance: [
    'get_currency_balance',
    (size, n) => ({ code: TOKEN, account: account(n, size), symbol: 'SYS' }),
  ],
  'get_table_rows, key': ['get_table_rows', (size, n) => ({ ...items, lower_bound: row(n, size) })],
  'get_table_rows, secondary key': [
    'get_table_rows',
    (size, n) => ({ ...items, ...by_rank, lower_bound: row(n, size) }),
  ],
}

/** The names of the questions, in the order of the output. */
export const GROWTH_READS: readonly string[] = Object.keys(QUESTIONS)

/** The operation of a question, and bodies of requests, one a line: all differ, and are spread over the whole state. */
export function growthQuestions(
  name: string,
  size: GrowthSize,
  count: number,
): { operation: string; lines: string } {
  const [operation, ask] = QUESTIONS[name]!
  const line = (_: unknown, n: number) => `${JSON.stringify({ ...ask(size, n), n })}\n`
  return { operation, lines: Array.from({ length: count }, line).join('') }
}
