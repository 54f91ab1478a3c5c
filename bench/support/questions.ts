/**
 * Questions that all differ, so that no kept answer serves them. Their field `n` makes them differ; nodes ignore
 * fields that they do not know.
 */

/** How many questions of one operation there are. They are asked in turn. */
const COUNT = 4096

/** Blocks from the second one to this one are asked for. */
export const LAST_BLOCK = 41

type Question = (n: number) => Record<string, unknown>

const HOLDERS = ['alice', 'bob']
const ACCOUNTS = [...HOLDERS, 'eosio.token', 'eosio']
const TOKEN = { account_name: 'eosio.token' }

const QUESTIONS: Readonly<Record<string, Question>> = {
  get_account: (n) => ({ account_name: ACCOUNTS[n % 4] }),
  get_block: (n) => ({ block_num_or_id: String(2 + (n % (LAST_BLOCK - 1))) }),
  get_table_rows: (n) => ({
    ...{ code: 'eosio.token', scope: HOLDERS[n % 2], table: 'accounts' },
    ...{ json: true, limit: 10 + (n % 90) },
  }),
  get_currency_balance: (n) => ({ code: 'eosio.token', account: HOLDERS[n % 2], symbol: 'SYS' }),
  get_raw_abi: () => TOKEN,
  get_abi: () => TOKEN,
}

/** The operations that have questions, in the order of the table. */
export const OPERATIONS: readonly string[] = Object.keys(QUESTIONS)

/** Bodies of requests, one a line. */
export function questions(operation: string): string {
  const ask = QUESTIONS[operation]!
  return Array.from({ length: COUNT }, (_, n) => `${JSON.stringify({ ...ask(n), n })}\n`).join('')
}
