import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { ChainError } from '../../../src/engine/errors.ts'
import {
  getAbi,
  getCode,
  getCodeHash,
  getRawAbi,
  getRawCodeAndAbi,
} from '../../../src/engine/queries/code.ts'
import { getAccount } from '../../../src/engine/queries/account.ts'
import {
  getBlock,
  getBlockHeader,
  getBlockHeaderState,
  getBlockInfo,
  getRawBlock,
} from '../../../src/engine/queries/blocks.ts'
import { getInfo } from '../../../src/engine/queries/chain_info.ts'
import { getConsensusParameters } from '../../../src/engine/queries/consensus_parameters.ts'
import { getCurrencyBalance, getCurrencyStats } from '../../../src/engine/queries/currency.ts'
import { getActivatedProtocolFeatures } from '../../../src/engine/queries/features.ts'
import { getProducers } from '../../../src/engine/queries/producers.ts'
import { getRequiredKeys } from '../../../src/engine/queries/required_keys.ts'
import { getScheduledTransactions } from '../../../src/engine/queries/scheduled_transactions.ts'
import { getTableByScope } from '../../../src/engine/queries/table_by_scope.ts'
import { getTableRows } from '../../../src/engine/queries/table_rows.ts'
import { getTransactionId } from '../../../src/engine/queries/transaction_id.ts'
import { FIXTURE } from '../protocol/recorded_blocks.ts'
import { recordedChain } from './recorded_chain.ts'

interface Exchange {
  method: string
  path?: string
  body?: string
  status: number
  response: string
}

const chain = recordedChain()

const VERSION = {
  server_version: '04bdb089',
  server_version_string: 'v1.2.2',
  server_full_version_string: 'v1.2.2-04bdb089edc7e3c3f954e0aab4a7f3cb48635788-dirty',
}

const OPERATIONS: Record<string, (params: unknown) => unknown> = {
  get_info: () => getInfo(chain, VERSION),
  get_account: (p) => getAccount(chain, p),
  get_abi: (p) => getAbi(chain, p),
  get_code: (p) => getCode(chain, p),
  get_code_hash: (p) => getCodeHash(chain, p),
  get_raw_abi: (p) => getRawAbi(chain, p),
  get_raw_code_and_abi: (p) => getRawCodeAndAbi(chain, p),
  get_table_rows: (p) => getTableRows(chain, p),
  get_table_by_scope: (p) => getTableByScope(chain, p),
  get_currency_balance: (p) => getCurrencyBalance(chain, p),
  get_currency_stats: (p) => getCurrencyStats(chain, p),
  get_producers: (p) => getProducers(chain, p),
  get_activated_protocol_features: (p) => getActivatedProtocolFeatures(chain, p),
  get_scheduled_transactions: (p) => getScheduledTransactions(chain, p),
  get_required_keys: (p) => getRequiredKeys(chain, p),
  get_transaction_id: (p) => getTransactionId(p),
  get_block: (p) => getBlock(chain, p),
  get_raw_block: (p) => getRawBlock(chain, p),
  get_block_info: (p) => getBlockInfo(chain, p),
  get_block_header: (p) => getBlockHeader(chain, p),
  get_block_header_state: (p) => getBlockHeaderState(chain, p),
  get_consensus_parameters: () => getConsensusParameters(chain),
}

/**
 * Fields that are not compared: blocks 123 to 140 changed them, and the state here is the one
 * before these; or the reference has no such field.
 */
const LEFT_OUT: Record<string, readonly string[]> = {
  get_code: ['name'],
  get_table_rows: ['next_page'],
  get_info: [
    'virtual_block_cpu_limit',
    'virtual_block_net_limit',
    'total_cpu_weight',
    'total_net_weight',
  ],
  get_account: ['net_limit', 'cpu_limit', 'ram_quota', 'net_weight', 'cpu_weight'],
}

/** Where this node answers better than the reference, by path and body, and why. */
const BETTER = new Map([
  [
    'get_table_rows {"code":"probe","scope":"probe","table":"rows","json":true,"index_position":"5","key_type":"float128","lower_bound":"0x0000000000000000000000000000ff3f","limit":2}',
    'takes a quadruple in the form in which rows print it',
  ],
  [
    'get_table_rows {"code":"probe","scope":"probe","table":"rows","json":true,"index_position":"5","key_type":"float128","upper_bound":"0x0000000000000000000000000000ff3f"}',
    'takes a quadruple in the form in which rows print it',
  ],
  ['get_table_by_scope {"code":"probe","table":"points"}', 'limit counts the rows of the answer'],
  [
    'get_table_by_scope {"code":"probe","table":"points","limit":4}',
    'limit counts the rows of the answer',
  ],
  [
    'get_table_by_scope {"code":"probe","lower_bound":"r1","limit":3}',
    'more continues within a scope instead of repeating it',
  ],
  [
    'get_transaction_id {"actions":[{}]}',
    'the specification requires account, name and authorization of an action',
  ],
  [
    'get_currency_balance {"code":"eosio.token","account":"bob","symbol":"4,SYS"}',
    'takes a symbol for its code',
  ],
])

/** Exchanges that are about a body's text, not about what is in it. */
function aboutText(exchange: Exchange, body: string): boolean {
  if (exchange.status === 0) return true
  const empty = /^(\{[ \t]*\})?$/.test(body)
  if (empty && exchange.status === 400) return true
  const no_parameters = /get_info|get_consensus_parameters/.test(exchange.path ?? '')
  if (no_parameters && exchange.status === 400) return true
  // The same key twice: which one counts is decided before a query sees it.
  return /"block_num_or_id".*"block_num_or_id"/.test(body)
}

function parsed(body: string): unknown {
  return /^(\{[ \t]*\})?$/.test(body) ? undefined : (JSON.parse(body) as unknown)
}

function isJson(body: string): boolean {
  try {
    parsed(body)
    return true
  } catch {
    return false
  }
}

function answerOf(operation: string, body: string): string {
  try {
    return comparable(operation, OPERATIONS[operation]!(parsed(body)))
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return `${error.code} ${error.errorName}: ${error.details[0]!.message}`
  }
}

function recordedAnswer(operation: string, { status, response }: Exchange): string {
  const json = JSON.parse(response) as Record<string, unknown>
  if (status < 300) return comparable(operation, json)
  const { code, name, details } = json['error'] as {
    code: number
    name: string
    details: { message: string }[]
  }
  return `${code} ${name}: ${details[0]!.message}`
}

function comparable(operation: string, value: unknown): string {
  const left_out = LEFT_OUT[operation]
  if (!left_out) return JSON.stringify(value)
  const kept = Object.entries(value as object).filter(([key]) => !left_out.includes(key))
  return JSON.stringify(Object.fromEntries(kept))
}

const exchanges = gunzipSync(readFileSync(new URL('reads.jsonl.gz', FIXTURE)))
  .toString()
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Exchange)
  .filter(({ path, method }) => method === 'POST' && path?.startsWith('/v1/chain/'))

describe('queries: what the reference answered', () => {
  for (const operation of Object.keys(OPERATIONS)) {
    it(operation, () => {
      let compared = 0
      for (const exchange of exchanges) {
        const body = exchange.body ?? ''
        if (exchange.path !== `/v1/chain/${operation}`) continue
        if (aboutText(exchange, body) || !isJson(body)) continue
        if (BETTER.has(`${operation} ${body}`)) continue
        compared++
        expect(answerOf(operation, body), body).to.equal(recordedAnswer(operation, exchange))
      }
      expect(compared).to.be.greaterThan(0)
    })
  }

  it('differs exactly where it is meant to', () => {
    for (const request of BETTER.keys()) {
      const [operation, body] = [
        request.slice(0, request.indexOf(' ')),
        request.slice(request.indexOf(' ') + 1),
      ]
      const exchange = exchanges.find((e) => e.path === `/v1/chain/${operation}` && e.body === body)
      expect(exchange, request).to.not.equal(undefined)
      expect(answerOf(operation, body)).to.not.equal(recordedAnswer(operation, exchange!))
    }
  })
})
