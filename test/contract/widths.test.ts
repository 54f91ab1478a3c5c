/** Integers that are wider than their field: refused in every operation, as a number and as a text. */
import { expect } from 'chai'
import { resolveRef } from '../../scripts/codegen/contract.ts'
import type { Schema } from '../../scripts/codegen/contract.ts'
import { TestNode } from '../support/test_node.ts'
import { contract, operations } from './support.ts'

type Body = { [field: string]: unknown }

const resolved = (schema: Schema): Schema => {
  const target =
    schema.$ref === undefined ? schema.allOf?.[0] : resolveRef<Schema>(contract, schema)
  return target === undefined || target === schema ? schema : resolved(target)
}

/** The greatest integer of a field that takes its text too; undefined for other fields. */
function greatest(schema: Schema): number | undefined {
  const alternatives = resolved(schema).oneOf ?? []
  const integer = alternatives.find(({ type }) => type === 'integer') as { maximum?: number }
  const text = alternatives.some(({ type }) => type === 'string')
  return text ? integer?.maximum : undefined
}

/** Requests with one field that is too wide, as deep as transactions have them. */
function* tooWide(schema: Schema, body: unknown, depth = 0): Generator<[string, unknown]> {
  const { properties, anyOf } = resolved(schema)
  for (const form of properties ? [] : (anyOf ?? [])) {
    const known = Object.keys(resolved(form).properties ?? {})
    const entries = Object.entries(body as Body).filter(([field]) => known.includes(field))
    yield* tooWide(form, Object.fromEntries(entries), depth)
  }
  if (depth > 2) return
  for (const [field, of] of Object.entries(properties ?? {})) {
    const rest = body as Body
    const limit = greatest(of)
    if (limit !== undefined) {
      for (const value of [limit + 1, String(limit + 1), String(2 ** 32), String(2 ** 33 + 1)]) {
        yield [`${field}: ${JSON.stringify(value)}`, { ...rest, [field]: value }]
      }
    }
    const inner = rest[field]
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue
    for (const [what, changed] of tooWide(of, inner, depth + 1)) {
      yield [`${field}.${what}`, { ...rest, [field]: changed }]
    }
  }
}

function exampleOf(path: string): unknown {
  const { examples } = contract.paths[path]?.post.requestBody?.content?.['application/json'] ?? {}
  const [example] = Object.values(examples ?? {})
  return example === undefined
    ? {}
    : resolveRef<{ value: unknown }>(contract, example as never).value
}

const TRANSACTION = {
  expiration: '2030-01-01T00:00:00',
  ref_block_num: 1,
  ref_block_prefix: 2,
  actions: [],
}

describe('integers that are wider than their field', () => {
  let node: TestNode
  before(async () => {
    node = await TestNode.start()
  })
  after(() => node.stop())

  it('are refused with 400 by every operation, as a number and as a text', async () => {
    const seen = new Set<string>()
    for (const { name, path, bodySchema, body } of operations) {
      if (body === 'none' || name === 'push_block') continue
      for (const [what, request] of tooWide(bodySchema, exampleOf(path))) {
        const answer = await node.ask(path, { body: request })
        expect(answer.status, `${name} ${what} ${answer.text}`).equal(400)
        seen.add(`${name}.${what.split(':')[0]}`)
      }
    }
    expect([...seen]).include.members([
      'get_table_rows.limit',
      'get_block_info.block_num',
      'update_runtime_options.max_transaction_time',
      'pause_at_block.block_num',
      'schedule_snapshot.block_spacing',
      'send_transaction2.retry_trx_num_blocks',
    ])
  })

  it('within a transaction are refused, where the reference keeps the low bits', async () => {
    const wide: [field: string, value: number][] = [
      ['ref_block_num', 65536],
      ['ref_block_prefix', 2 ** 32],
      ['max_net_usage_words', 2 ** 32],
      ['max_cpu_usage_ms', 256],
      ['delay_sec', 2 ** 32],
    ]
    for (const [field, value] of wide) {
      for (const given of [value, String(value)]) {
        const transaction = { ...TRANSACTION, [field]: given }
        const requests: [string, unknown][] = [
          ['get_transaction_id', transaction],
          ['get_required_keys', { transaction, available_keys: [] }],
          ['push_transactions', [{ ...transaction, signatures: [] }]],
        ]
        for (const [operation, body] of requests) {
          const { status, text } = await node.chain(operation, body)
          const refused = status === 400 || text.includes('does not fit')
          expect(refused, `${operation} ${field} ${JSON.stringify(given)}: ${text}`).equal(true)
        }
      }
    }
    const fits = { ...TRANSACTION, ref_block_num: '65535', max_cpu_usage_ms: 255 }
    expect((await node.chain('get_transaction_id', fits)).status).equal(200)
  })

  it('a block number beyond 32 bits is refused', async () => {
    for (const block_num_or_id of [2 ** 32 + 1, String(2 ** 32 + 1)]) {
      const { status, body } = await node.chain('get_block', { block_num_or_id })
      expect(status).equal(400)
      expect(body).nested.include({ 'error.name': 'unknown_block_exception' })
    }
  })
})
