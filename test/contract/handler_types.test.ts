/**
 * Handlers that break the contract do not compile: each line below `@ts-expect-error` is refused by
 * the compiler, which refuses the comment when it is not.
 */
import { expect } from 'chai'
import type { components } from '../../generated/api.ts'
import type { Answer, Body } from '../../src/engine/index.ts'
import { parseParams } from '../../src/engine/queries/params.ts'
import type { Handlers } from '../../src/handlers/types.ts'

type ErrorBody = components['schemas']['Error']
declare const error: ErrorBody
declare const asked: Body<'get_table_rows'>
declare const all: Handlers
declare const withoutOne: Omit<Handlers, 'get_info'>

/** Never called: the compiler is the test. */
export function refusedByTheCompiler(): unknown[] {
  // @ts-expect-error a handler is missing
  const missing: Handlers = withoutOne
  // @ts-expect-error a handler without an operation
  const surplus: Handlers = { ...all, get_nothing: () => ({}) }
  // @ts-expect-error a field of the answer is missing
  const incomplete: Answer<'get_code_hash'> = { account_name: 'alice' }
  // @ts-expect-error a field of the answer has another type
  const wrong: Answer<'pause'> = { result: 1 }
  // @ts-expect-error an error is not a success
  const failed: Answer<'get_account'> = error
  // @ts-expect-error an error is not a success, also where it may be null
  const refused: Answer<'push_transaction'> = error
  // @ts-expect-error an error is not a success, also where the keys are not fixed
  const stats: Answer<'get_currency_stats'> = error
  // @ts-expect-error an error is not a success, also where it is empty
  const block: Answer<'push_block'> = error
  // @ts-expect-error a handler that takes another body
  const body: Handlers['get_account'] = (_engine, { block_num }: Body<'get_block_info'>) =>
    block_num
  // @ts-expect-error a field of a request may be absent, also where it has a default
  const limit: NonNullable<unknown> = asked.limit
  // @ts-expect-error a field of a request that the contract does not name is not read
  parseParams(asked, (fields) => fields.string('tabel'))
  return [missing, surplus, incomplete, wrong, failed, refused, stats, block, body, limit]
}

/** Never called: these do compile. */
export function acceptedByTheCompiler(): unknown[] {
  const minimal: Answer<'create_snapshot'> = null
  const result: Answer<'pause'> = { result: 'ok' }
  const rows: Body<'get_table_rows'> = { code: 'a', scope: 5, table: 'b', limit: '10', json: 1 }
  const flat: Body<'update_runtime_options'> = { max_transaction_time: 150 }
  const wrapped: Body<'update_runtime_options'> = { options: { max_transaction_time: 150 } }
  const nothing: Body<'get_info'> = {}
  return [minimal, result, rows, flat, wrapped, nothing]
}

describe('types of handlers', () => {
  it('are checked by the compiler', () => {
    expect(refusedByTheCompiler.length + acceptedByTheCompiler.length).to.equal(0)
  })
})
