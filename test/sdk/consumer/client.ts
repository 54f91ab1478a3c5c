/**
 * Uses the TypeScript client as others would: client.ts <url> <packed transaction as JSON>. Compiled
 * and run by the test once the client is made.
 */
import {
  pronghorn,
  PronghornError,
  type components,
  type GetAccountAnswer,
} from '../../../sdk/typescript/dist/index.js'

type PackedTransaction = components['schemas']['PackedTransaction']

const [, , baseUrl = '', packed = ''] = process.argv
const transaction = JSON.parse(packed) as PackedTransaction
const node = pronghorn({ baseUrl })

const info = await node.chain.get_info()
const account = await node.chain.get_account({ account_name: 'alice' })
const nobody = await node.chain.get_account({ account_name: 'nobody' })
const table = { code: 'eosio.token', scope: 'alice', table: 'accounts' }
const rows = await node.chain.get_table_rows({ ...table, json: true, limit: 1 })
const sent = await node.chain.send_transaction2({ transaction })
const again = await node.chain.send_transaction2(
  { transaction },
  { params: { header: { Prefer: 'return=minimal' } } },
)

// A client that throws, and rows of a type of its own.
const throwing = pronghorn({ baseUrl, throws: true })
const alice: GetAccountAnswer = await throwing.chain.get_account({ account_name: 'alice' })
const typed = await throwing.chain.get_table_rows<{ balance: string }>({ ...table, json: true })
const balance: string | undefined = typed.rows[0]?.balance
const thrown = await throwing.chain
  .get_account({ account_name: 'nobody' })
  .catch((error: unknown) => (error instanceof PronghornError ? error.error_name : error))

type Takes<Wanted, Given> = Given extends Wanted ? true : false
type Rows = Parameters<typeof node.chain.get_table_rows>[0]
type Account = NonNullable<typeof account.data>
// What compiles, and what does not: a table without a name, a limit that is not a number, a misspelling.
const compiles: [Takes<Rows, typeof table>, Takes<keyof Account, 'ram_usage'>] = [true, true]
const refused: [
  Takes<Rows, Omit<typeof table, 'table'>>,
  Takes<Rows['limit'], boolean>,
  Takes<keyof Account, 'ram_usages'>,
] = [false, false, false]

const id: string | undefined = sent.data?.transaction_id
const what: string | undefined = nobody.error?.error.name
console.log(
  JSON.stringify({
    head: info.data?.head_block_num,
    account: account.data?.account_name,
    ram: typeof account.data?.ram_usage,
    nobody: what,
    rows: rows.data?.rows,
    sent: id,
    status: sent.data?.processed.receipt?.status,
    again: again.error?.error.name,
    types: [compiles, refused],
    throwing: [alice.account_name, balance, thrown],
  }),
)
