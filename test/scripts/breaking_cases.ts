/** Changes of one operation each: what breaks a client, and what does not. */
import type { PathOperation, Schema } from '../../scripts/codegen/contract.ts'

export interface Change {
  /** Absent: there was none. */
  before?: object
  /** Absent: it is removed. */
  after?: object
}

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})
const content = (schema: Schema) => ({ 'application/json': { schema } })

/** An operation by what it takes and what it answers. */
function operation(request: Schema, answer: Schema, more: Partial<PathOperation> = {}): object {
  return {
    requestBody: { required: true, content: content(request) },
    responses: { '200': { description: 'The answer.', content: content(answer) } },
    ...more,
  }
}

const plain = operation(object({}), object({}))
const request = (before: Schema, after: Schema): Change => ({
  before: operation(before, object({})),
  after: operation(after, object({})),
})
const answer = (before: Schema, after: Schema): Change => ({
  before: operation(object({}), before),
  after: operation(object({}), after),
})
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const field = (schema: Schema) => object({ field: schema }, 'field')
const header = (required: boolean) => ({
  parameters: [{ name: 'X-Wanted', in: 'header', required, schema: text }],
})
const status = (code: string) => ({ responses: { [code]: { description: 'The answer.' } } })
const optionalBody = { requestBody: { required: false, content: content(object({})) } }

const SHORT = { type: 'string', enum: ['a'] }
const LONG = { type: 'string', enum: ['a', 'b'] }
const EITHER = { oneOf: [text, { type: 'integer' }] }
const ANY = { oneOf: [text, { type: 'integer' }, { type: 'boolean' }] }
const both = { a: text, b: text }

/** What references in the changes point to. */
export const COMPONENTS: Record<string, Schema> = {
  Text: { ...text, description: 'A text.' },
  Either: EITHER,
  Tree: object({ name: text, leaves: { type: 'array', items: ref('Tree') } }, 'name'),
}

export const BREAKING: Record<string, Change> = {
  operation_removed: { before: plain },
  status_of_success_changed: {
    before: operation(object({}), object({}), status('200')),
    after: operation(object({}), object({}), status('201')),
  },
  header_required: { before: plain, after: operation(object({}), object({}), header(true)) },
  header_becomes_required: {
    before: operation(object({}), object({}), header(false)),
    after: operation(object({}), object({}), header(true)),
  },
  body_becomes_required: {
    before: operation(object({}), object({}), optionalBody),
    after: plain,
  },
  request_field_required: request(object({ a: text }), object(both, 'b')),
  request_field_becomes_required: request(object(both), object(both, 'b')),
  request_field_removed: request(object(both), object({ a: text })),
  request_type_changed: request(field(text), field({ type: 'integer' })),
  request_type_narrowed: request(field(ANY), field(EITHER)),
  request_enum_value_removed: request(field(LONG), field(SHORT)),
  request_enum_added: request(field(text), field(SHORT)),
  request_pattern_added: request(field(text), field({ ...text, pattern: '^a$' })),
  request_pattern_changed: request(
    field({ ...text, pattern: '^[a-z]$' }),
    field({ ...text, pattern: '^a$' }),
  ),
  request_minimum_raised: request(
    field({ type: 'integer', minimum: 0 }),
    field({ type: 'integer', minimum: 1 }),
  ),
  request_length_lowered: request(
    field({ ...text, maxLength: 9 }),
    field({ ...text, maxLength: 8 }),
  ),
  request_reference_narrowed: request(field(ref('Either')), field(ref('Text'))),
  request_scalar_of_a_choice_narrowed: request(
    field({ oneOf: [LONG, { type: 'integer' }] }),
    field({ oneOf: [SHORT, { type: 'integer' }] }),
  ),
  request_becomes_a_tree: request(field(object({ name: text })), field(ref('Tree'))),
  request_null_refused: request(field({ ...text, nullable: true }), field(text)),
  request_unknown_fields_refused: request(object({ a: text }), {
    ...object({ a: text }),
    additionalProperties: false,
  }),
  answer_field_removed: answer(object(both, 'a', 'b'), object({ a: text }, 'a')),
  answer_optional_field_removed: answer(object(both), object({ a: text })),
  answer_field_becomes_optional: answer(object(both, 'a', 'b'), object(both, 'a')),
  answer_type_changed: answer(field(text), field({ type: 'integer' })),
  answer_type_widened: answer(field(EITHER), field(ANY)),
  answer_enum_value_added: answer(field(SHORT), field(LONG)),
  answer_may_be_null: answer(field(text), field({ ...text, nullable: true })),
  answer_scalar_becomes_a_choice: answer(field(text), field(EITHER)),
  answer_reference_widened: answer(field(ref('Text')), field(ref('Either'))),
  answer_items_changed: answer(
    field({ type: 'array', items: object(both, 'a') }),
    field({ type: 'array', items: object(both) }),
  ),
}

export const PASSING: Record<string, Change> = {
  nothing: { before: plain, after: plain },
  operation_added: { after: plain },
  status_of_failure_added: {
    before: plain,
    after: operation(object({}), object({}), {
      responses: {
        '200': { description: 'The answer.', content: content(object({})) },
        '429': { description: 'Too many.' },
      },
    }),
  },
  header_optional: { before: plain, after: operation(object({}), object({}), header(false)) },
  body_becomes_optional: {
    before: plain,
    after: operation(object({}), object({}), optionalBody),
  },
  request_field_optional: request(object({ a: text }), object(both)),
  request_field_becomes_optional: request(object(both, 'b'), object(both)),
  request_type_widened: request(field(EITHER), field(ANY)),
  request_scalar_becomes_a_choice: request(field(text), field({ allOf: [ref('Either')] })),
  request_reference_widened: request(field(ref('Text')), field(ref('Either'))),
  request_by_reference: request(field(text), field(ref('Text'))),
  request_by_described_reference: request(
    field(ref('Text')),
    field({ allOf: [ref('Text')], description: 'A text.', example: 'a' }),
  ),
  request_choice_in_another_order: request(
    field(EITHER),
    field({ oneOf: [...EITHER.oneOf].reverse() }),
  ),
  request_enum_value_added: request(field(SHORT), field(LONG)),
  request_null_taken: request(field(text), field({ ...text, nullable: true })),
  answer_field_added: answer(object({ a: text }), object(both, 'b')),
  answer_type_narrowed: answer(field(ANY), field(EITHER)),
  answer_choice_becomes_a_scalar: answer(field(ref('Either')), field(text)),
  answer_is_a_tree: answer(field(ref('Tree')), field({ allOf: [ref('Tree')] })),
  answer_enum_value_removed: answer(field(LONG), field(SHORT)),
  answer_is_never_null: answer(field({ ...text, nullable: true }), field(text)),
  answer_described: answer(field(text), field({ ...text, description: 'A text.' })),
  required_in_another_order: answer(object(both, 'a', 'b'), object(both, 'b', 'a')),
}
