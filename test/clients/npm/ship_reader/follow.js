/**
 * @blockmatic/eosio-ship-reader follows a chain: `node follow.js URL_OF_HISTORY URL_OF_API POSITIONS`. It prints one line
 * of JSON for each block, with the rows of the token's accounts and the transfers.
 */
import { readFileSync } from 'node:fs'
import reader from '@blockmatic/eosio-ship-reader'

const [ws_url, rpc_url, positions, abi_path] = process.argv.slice(2)
const have_positions = JSON.parse(positions)
const abi = JSON.parse(readFileSync(abi_path, 'utf8'))
const { blocks$, forks$, errors$, close$ } = await reader.createEosioShipReader({
  ws_url,
  rpc_url,
  ds_threads: 1,
  request: {
    start_block_num: Math.max(0, ...have_positions.map(({ block_num }) => block_num)) + 1,
    max_messages_in_flight: 2,
    have_positions,
  },
  delta_whitelist: () => ['contract_row'],
  table_rows_whitelist: () => [{ code: 'token', table: 'accounts' }],
  actions_whitelist: () => [{ code: 'token', action: 'transfer' }],
  contract_abis: () => new Map([['token', abi]]),
  auto_start: true,
})
const tell = (line) => console.log(JSON.stringify(line))
forks$.subscribe((fork) => tell({ fork }))
blocks$.subscribe((block) => tell({ block }))
errors$.subscribe(({ message }) => tell({ error: message }))
close$.subscribe(() => process.exit(0))
