import type { Body } from '../../../src/engine/contract.ts'
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { ChainError } from '../../../src/engine/errors.ts'
import { transactionId } from '../../../src/engine/crypto/digests.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { nameFromString } from '../../../src/engine/protocol/name.ts'
import { parseTimePoint } from '../../../src/engine/protocol/time.ts'
import { getScheduledTransactions } from '../../../src/engine/queries/scheduled_transactions.ts'
import {
  listedTransactionFromRequest,
  packedTransactionFromRequest,
  transactionFromRequest,
} from '../../../src/engine/queries/transaction_input.ts'
import { FIXTURE } from '../protocol/recorded_blocks.ts'
import { recordedChain } from './recorded_chain.ts'

interface Exchange {
  path?: string
  body?: string
  status: number
  response: string
}

function recorded(file: string, path: string): Exchange[] {
  return gunzipSync(readFileSync(new URL(file, FIXTURE)))
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Exchange)
    .filter((exchange) => exchange.path === `/v1/chain/${path}`)
}

const chain = recordedChain()

function errorOf(f: () => unknown): string {
  try {
    f()
  } catch (error) {
    if (error instanceof ChainError) return `${error.errorName}: ${error.details[0]!.message}`
    throw error
  }
  return 'no error'
}

const TRANSFER = {
  account: 'eosio.token',
  name: 'transfer',
  authorization: [{ actor: 'alice', permission: 'active' }],
  data: { from: 'alice', to: 'bob', quantity: '1.0000 SYS', memo: 'm' },
}
const TRANSFER_HEX = '0000000000855c340000000000000e3d10270000000000000453595300000000016d'
const HEADER = { expiration: '2026-11-28T00:10:00', ref_block_num: 1, ref_block_prefix: '2' }

describe('queries: transactions that clients send', () => {
  it('takes packed ones, with every form of compression', () => {
    const sent = recorded('live.jsonl.gz', 'send_transaction2').find((e) => e.status === 202)!
    const { transaction } = JSON.parse(sent.body!) as { transaction: Record<string, unknown> }
    const { transaction_id } = JSON.parse(sent.response) as { transaction_id: string }
    for (const compression of ['none', 0, '0', false]) {
      const received = packedTransactionFromRequest(chain, { ...transaction, compression })
      expect(toHex(transactionId(received.unpacked.trx_bytes))).to.equal(transaction_id)
      expect(received.packed.compression).to.equal(0)
    }
    const plain = packedTransactionFromRequest(chain, {
      signatures: [],
      compression: 'zlib',
      transaction: { ...HEADER, actions: [TRANSFER] },
    })
    for (const compression of ['zlib', 1, true]) {
      const again = packedTransactionFromRequest(chain, {
        signatures: [],
        compression,
        packed_context_free_data: '',
        packed_trx: toHex(plain.packed.packed_trx),
      })
      expect(again.unpacked.trx).to.deep.equal(plain.unpacked.trx)
    }
  })

  it('packs action data by the ABI, and takes hex', () => {
    const forms = [
      TRANSFER,
      { ...TRANSFER, data: TRANSFER_HEX },
      { ...TRANSFER, data: undefined, hex_data: TRANSFER_HEX },
      { ...TRANSFER, data: ['not', 'an', 'object'], hex_data: TRANSFER_HEX },
    ]
    for (const action of forms) {
      const trx = transactionFromRequest(chain, { ...HEADER, actions: [action], extra: 1 })
      expect(toHex(trx.actions[0]!.data)).to.equal(TRANSFER_HEX)
      expect(trx.ref_block_prefix).to.equal(2)
    }
    const received = packedTransactionFromRequest(chain, {
      signatures: [],
      compression: 'none',
      context_free_data: ['0102', ''],
      transaction: { ...HEADER, actions: [TRANSFER] },
    })
    expect(received.unpacked.context_free_data.list().map(toHex)).to.deep.equal(['0102', ''])
    expect(toHex(received.packed.packed_context_free_data)).to.equal('0202010200')
    const empty = { account: 'alice', name: 'x', data: '' }
    expect(transactionFromRequest(chain, { actions: [empty] }).actions[0]!.data.length).to.equal(0)
  })

  it('takes bare transactions in a list', () => {
    const bare = { ...HEADER, actions: [TRANSFER] }
    const { packed, unpacked } = listedTransactionFromRequest(chain, bare)
    expect(packed.signatures).to.deep.equal([])
    expect(toHex(unpacked.trx.actions[0]!.data)).to.equal(TRANSFER_HEX)
    expect(errorOf(() => listedTransactionFromRequest(chain, {}))).to.equal(
      'packed_transaction_type_exception: Missing signatures',
    )
  })

  it('takes them with context-free data, and with null for lists that are not there', () => {
    const bare = { ...HEADER, actions: [TRANSFER] }
    const open = (fields: object) => listedTransactionFromRequest(chain, { ...bare, ...fields })
    const { unpacked } = open({ context_free_data: ['0102', ''] })
    expect(unpacked.context_free_data.list().map(toHex)).to.deep.equal(['0102', ''])
    const absent = { signatures: null, context_free_data: null, context_free_actions: null }
    expect(open({ ...absent, transaction_extensions: null })).to.deep.equal(open({}))
  })

  it('refuses what the reference refuses, in its words', () => {
    for (const path of ['push_transaction', 'send_transaction']) {
      let compared = 0
      for (const { body, status, response } of recorded('reads.jsonl.gz', path)) {
        if (status !== 500 || !body || !/^[{[]/.test(body)) continue
        const { name, details } = (
          JSON.parse(response) as { error: { name: string; details: { message: string }[] } }
        ).error
        if (!name.startsWith('packed_transaction_type')) continue
        compared++
        expect(
          errorOf(() => packedTransactionFromRequest(chain, JSON.parse(body))),
          body,
        ).to.equal(`${name}: ${details[0]!.message}`)
      }
      expect(compared).to.be.greaterThan(2)
    }
    const pushed = { signatures: [], compression: 'none' }
    const send = (actions: unknown): (() => unknown) => {
      const transaction = { ...HEADER, actions }
      return () => packedTransactionFromRequest(chain, { ...pushed, transaction })
    }
    expect(errorOf(send([{ name: 'x' }]))).to.equal(
      'packed_transaction_type_exception: Missing account',
    )
    expect(errorOf(send([{ account: 'x', name: 'y', data: {} }]))).to.equal(
      'packed_transaction_type_exception: Failed to deserialize data for x:y',
    )
    expect(errorOf(send([{ ...TRANSFER, data: { from: 'alice' } }]))).to.equal(
      "pack_exception: Missing field 'to' in input object while processing struct 'transfer'",
    )
    expect(errorOf(send('x'))).to.equal(
      'packed_transaction_type_exception: Invalid packed transaction',
    )
    expect(
      errorOf(() => packedTransactionFromRequest(chain, { ...pushed, compression: 2 })),
    ).to.equal('packed_transaction_type_exception: Invalid packed transaction')
    expect(errorOf(() => transactionFromRequest(chain, null))).to.equal(
      'transaction_type_exception: Invalid transaction',
    )
  })
})

describe('queries: scheduled transactions', () => {
  // The recorded answers, one with JSON and one with hex, and the rows that they were made of.
  const [with_json, with_hex] = recorded('live.jsonl.gz', 'get_scheduled_transactions').map(
    (e) => JSON.parse(e.response) as { transactions: Record<string, string>[]; more: string },
  )

  it('prints rows as the reference does, and continues where it stopped', () => {
    const scheduled = recordedChain()
    const packed = [
      with_hex!.transactions[0]!['transaction']!,
      // The second one was printed as JSON only.
      'a4190a6b0b0083db64c30000901c0001000000000075e8ad000000000000a6be01000000000075e8ad00000000a8ed32320a09314e0000000000000000',
    ]
    with_json!.transactions.forEach((row, i) => {
      scheduled.db.generated_transaction.create({
        trx_id: fromHex(row['trx_id']!),
        sender: nameFromString(row['sender']!),
        sender_id: BigInt(row['sender_id']!),
        payer: nameFromString(row['payer']!),
        delay_until: parseTimePoint(row['delay_until']!),
        expiration: parseTimePoint(row['expiration']!),
        published: parseTimePoint(row['published']!),
        packed_trx: fromHex(packed[i]!),
      })
    })
    const get = (params: Body<'get_scheduled_transactions'>): unknown =>
      getScheduledTransactions(scheduled, params)
    expect(JSON.stringify(get({ json: true, limit: 10 }))).to.equal(JSON.stringify(with_json))
    expect(JSON.stringify(get({ json: false, limit: 1 }))).to.equal(JSON.stringify(with_hex))
    const second = get({ json: true, limit: 1, lower_bound: with_hex!.more })
    expect(JSON.stringify(second)).to.equal(
      JSON.stringify({ transactions: [with_json!.transactions[1]], more: '' }),
    )
    const by_time = get({ json: true, lower_bound: '2026-11-28T00:30:00.000' })
    expect(by_time).to.deep.equal(second)
    expect(get({ json: true, lower_bound: 'ff'.repeat(32) })).to.deep.equal({
      transactions: [],
      more: '',
    })
  })
})
