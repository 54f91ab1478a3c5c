/**
 * What clients get through HTTP: reads beside a bare node:http server that answers the same bytes,
 * and distinct signed transfers. wrk runs on the same machine, one thread, 16 connections.
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BareServer } from './support/bare_server.ts'
import { NodeProcess } from './support/node_process.ts'
import { TokenChain } from './support/token_chain.ts'
import { wrkLines, wrkRequest } from './support/wrk.ts'

export interface ReadResult {
  operation: string
  per_second: number
  bare_per_second: number
}

export interface HttpResult {
  reads: ReadResult[]
  transfers_per_second: number
  transfers: number
}

const TRANSFERS = 40_000

/** Operation, body, and what is special about the question. */
type Read = [operation: string, body: object, what?: string]

const TRANSFERS_IN_BLOCK = 1000

const READS: Read[] = [
  ['get_info', {}],
  ['get_account', { account_name: 'alice' }],
  ['get_block', { block_num_or_id: 5 }],
  [
    'get_table_rows',
    { code: 'eosio.token', scope: 'bob', table: 'accounts', limit: 100, json: true },
  ],
  ['get_currency_balance', { code: 'eosio.token', account: 'alice', symbol: 'SYS' }],
]

/** @param seconds how long each operation is asked for */
export async function httpBench(seconds: number): Promise<HttpResult> {
  const node = await NodeProcess.start()
  try {
    const chain = new TokenChain(node)
    await chain.prepare()
    await chain.fillTable(100)
    const reads: ReadResult[] = []
    for (const read of READS) reads.push(await readBench(node, read, seconds))
    for (const read of await largeReads(chain)) reads.push(await readBench(node, read, seconds))
    const file = join(tmpdir(), `pronghorn-transfers-${process.pid}.jsonl`)
    await chain.writeTransfers(file, TRANSFERS)
    const url = `${node.url}/v1/chain/send_transaction2`
    const sent = await wrkLines(url, file, seconds * 3)
    if (sent.failures > 0) throw new Error(`${sent.failures} transfers were refused`)
    return { reads, transfers_per_second: sent.requests_per_second, transfers: sent.answered }
  } finally {
    await node.stop()
  }
}

/** Questions with answers of some hundred kilobytes. */
async function largeReads(chain: TokenChain): Promise<Read[]> {
  await chain.fillTable(1000)
  const table = { code: 'eosio.token', scope: 'bob', table: 'accounts', limit: 1000 }
  const block_num_or_id = await chain.blockOfTransfers(TRANSFERS_IN_BLOCK)
  return [
    ['get_table_rows', { ...table, json: true }, '1000 rows'],
    ['get_table_rows', { ...table, json: false }, '1000 rows, hex'],
    ['get_block', { block_num_or_id }, `${TRANSFERS_IN_BLOCK} transfers`],
    ['get_raw_block', { block_num_or_id }, `${TRANSFERS_IN_BLOCK} transfers`],
  ]
}

async function readBench(
  node: NodeProcess,
  [operation, request, what]: Read,
  seconds: number,
): Promise<ReadResult> {
  const body = JSON.stringify(request)
  const path = `/v1/chain/${operation}`
  const answer = await (await fetch(node.url + path, { method: 'POST', body })).text()
  const bare = await BareServer.start(answer)
  try {
    const mine = await wrkRequest(node.url + path, body, seconds)
    if (mine.failures > 0) throw new Error(`${operation}: ${mine.failures} failures`)
    const theirs = await wrkRequest(bare.url + path, body, seconds)
    return {
      operation: what === undefined ? operation : `${operation}, ${what}`,
      per_second: mine.requests_per_second,
      bare_per_second: theirs.requests_per_second,
    }
  } finally {
    await bare.stop()
  }
}
