/**
 * The contract against what the reference really answered: every recorded answer has the status and
 * the shape that the contract says, without a field that it does not describe, and every request that
 * the reference took is a valid one. What differs is listed with its reason; a reason that no longer
 * applies fails too.
 */
import { expect } from 'chai'
import type { ValidateFunction } from 'ajv'
import {
  closed,
  firstError,
  loadRecording,
  operations,
  responseSchema,
  tryJson,
  validatorFactory,
} from './support.ts'
import type { Exchange } from './support.ts'
import type { Schema } from '../../scripts/codegen/contract.ts'
import type { Operation } from '../../scripts/codegen/operations.ts'

interface Difference {
  operation: string
  body: RegExp
  reason: string
}

const REQUIRED = 'The specification requires the field; the reference takes a default.'
const NOT_A_NUMBER =
  'The reference reads booleans and fractions as whole numbers, and -1 as 4294967295.'
const IN_PLACE =
  'The reference answers a malformed transaction among several in its place; the contract refuses the request, so that nothing of it is applied.'

/** Requests that the reference takes and the contract refuses. */
const REFUSED: Difference[] = [
  { operation: 'get_table_by_scope', body: /^\{"unknown_field":1\}$/, reason: REQUIRED },
  { operation: 'get_producers', body: /^\{"(unknown_field|json)":(1|true)\}$/, reason: REQUIRED },
  { operation: 'get_scheduled_transactions', body: /^\{"unknown_field":1\}$/, reason: REQUIRED },
  { operation: 'push_block', body: /^\{"unknown_field":1\}$/, reason: REQUIRED },
  {
    operation: 'schedule_protocol_feature_activations',
    body: /^\{"unknown_field":1\}$/,
    reason: REQUIRED,
  },
  { operation: 'get_required_keys', body: /^\{"transaction":\{\},/, reason: REQUIRED },
  { operation: 'get_transaction_id', body: /^\{"actions":\[\{\}\]\}$/, reason: REQUIRED },
  { operation: 'get_table_rows', body: /"scope":null/, reason: REQUIRED },
  { operation: 'get_table_rows', body: /"scope":true/, reason: 'A boolean is not a scope.' },
  { operation: 'get_block_info', body: /"block_num":(true|1\.5)/, reason: NOT_A_NUMBER },
  { operation: 'pause_at_block', body: /"block_num":-1/, reason: NOT_A_NUMBER },
  { operation: 'schedule_snapshot', body: /"block_spacing":-1/, reason: NOT_A_NUMBER },
  {
    operation: 'get_unapplied_transactions',
    body: /"lower_bound":"zz"/,
    reason: 'The specification asks for a digest; the reference ignores other texts.',
  },
  { operation: 'push_transactions', body: /"bogus"|"zz"|"odd"/, reason: IN_PLACE },
]

/** Fields that the specification names and the reference lacks; the contract requires them. */
const ADDED: { [operation: string]: { [field: string]: unknown } } = {
  get_code: { name: 'alice' },
  get_transaction_status: { last_tracked_block_id: '0'.repeat(64) },
  get_runtime_options: {
    produce_time_offset_us: 0,
    last_block_time_offset_us: 0,
    max_scheduled_transaction_time_per_block_ms: 100,
    incoming_defer_ratio: '1.00000000000000000',
  },
}

/** Texts that the reference reads although they are not JSON. */
const NOT_JSON = [/^\{"block_num_or_id":"2"\} trailing$/, /^\{"block_num_or_id":"2",\}$/]

const ERROR: Schema = { $ref: '#/components/schemas/Error' }
const byPath = new Map(operations.map((operation) => [operation.path, operation]))

/** Recorded texts above 100,000 characters were cut and end with their length. */
const isCut = (text: string | null): boolean => /… \d+ characters$/.test(text ?? '')

function cached(make: (schema: Schema) => ValidateFunction): (schema: Schema) => ValidateFunction {
  const made = new Map<string, ValidateFunction>()
  return (schema) => {
    const key = JSON.stringify(schema)
    const validate = made.get(key) ?? make(schema)
    made.set(key, validate)
    return validate
  }
}

/** The answer as we owe it: the reference's, with the fields that the specification adds. */
function withAddedFields(operation: Operation | undefined, response: unknown): unknown {
  const added = ADDED[operation?.name ?? '']
  if (added === undefined) return response
  const owed = response as { [field: string]: unknown }
  for (const field of Object.keys(added)) expect(owed).not.to.have.property(field)
  return { ...owed, ...added }
}

describe('recorded exchanges', () => {
  const exchanges = ['one/reads', 'one/live', 'retry/exchanges']
    .flatMap(loadRecording)
    .filter(({ method }) => method === 'GET' || method === 'POST')
  const answered = exchanges.filter(({ status }) => status !== 0)

  it('are all there', () => {
    expect(exchanges.length).to.be.greaterThan(1900)
    expect(exchanges.length - answered.length, 'without an answer').to.equal(2)
  })

  it('answers are what the contract says, field by field', () => {
    const validator = cached(validatorFactory(closed))
    const problems = answered.flatMap((exchange) => {
      const { path, status, response, body } = exchange
      if (isCut(response)) return []
      const operation = byPath.get(path)
      const schema = operation === undefined ? ERROR : responseSchema(operation, status)
      if (schema === undefined) return [`${path} answers ${status} for ${body}`]
      if (operation !== undefined && status < 300) expect(status).to.equal(operation.successStatus)
      const validate = validator(schema)
      const value = status < 300 ? withAddedFields(operation, tryJson(response)) : tryJson(response)
      return validate(value)
        ? []
        : [`${path} ${status}: ${firstError(validate.errors)} for ${body}`]
    })
    expect(problems).to.deep.equal([])
  })

  it('an unknown path is answered with 404', () => {
    const unknown = answered.filter(({ path }) => !byPath.has(path))
    expect(unknown.length).to.be.greaterThan(10)
    for (const { status } of unknown) expect(status).to.equal(404)
  })

  it('requests that the reference takes are valid, but for the listed ones', () => {
    const validator = cached(validatorFactory())
    const met = new Set<Difference | RegExp>()
    const problems = answered.flatMap((exchange) => {
      const operation = byPath.get(exchange.path)
      if (operation === undefined || exchange.status >= 300 || isCut(exchange.body)) return []
      return requestProblem(exchange, operation, validator(operation.bodySchema), met)
    })
    expect(problems).to.deep.equal([])
    const idle = [...REFUSED, ...NOT_JSON].filter((difference) => !met.has(difference))
    expect(idle, 'differences that no exchange shows').to.deep.equal([])
  })
})

function requestProblem(
  { path, body }: Exchange,
  operation: Operation,
  validate: ValidateFunction,
  met: Set<Difference | RegExp>,
): string[] {
  const text = body?.trim() ?? ''
  const notJson = NOT_JSON.find((pattern) => pattern.test(text))
  if (notJson !== undefined) {
    met.add(notJson)
    return []
  }
  if (validate(text === '' ? {} : tryJson(text))) return []
  const listed = REFUSED.find((difference) => {
    return difference.operation === operation.name && difference.body.test(text)
  })
  if (listed === undefined) return [`${path}: ${firstError(validate.errors)} for ${text}`]
  met.add(listed)
  return []
}
