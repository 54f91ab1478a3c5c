/** Every request is as lenient as the contract promises, field by field. */
import { expect } from 'chai'
import { resolveRef } from '../../scripts/codegen/contract.ts'
import type { Schema } from '../../scripts/codegen/contract.ts'
import { contract, firstError, operations, validatorFactory } from './support.ts'

type Body = { [field: string]: unknown }

const validator = validatorFactory()

/** The object schemas that a request body may be: itself, or its wrapped and flat forms. */
function forms(schema: Schema): Schema[] {
  const resolved = resolveRef<Schema>(contract, schema)
  if (resolved.anyOf !== undefined && resolved.properties === undefined)
    return resolved.anyOf.flatMap((form) => forms(form.allOf?.[0] ?? form))
  return [resolved]
}

/** An example of a field: its own, or that of the component it refers to. */
function example(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example
  const target =
    schema.$ref === undefined ? schema.allOf?.[0] : resolveRef<Schema>(contract, schema)
  if (target !== undefined && target !== schema) return example(target)
  if (schema.type === 'array') return [example(schema.items ?? {})]
  return sample(schema)
}

/** An object with an example of each of its fields. */
function sample({ properties = {} }: Schema): Body {
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => [field, example(schema)]),
  )
}

/** The component that a field refers to. */
const kind = (schema: Schema) => schema.allOf?.[0]?.$ref?.split('/').pop() ?? ''

/** Values that mean the same as an example, by the component of the field. */
const SAME: { [component: string]: unknown[] } = {
  WholeNumber: [5, '5', 0, 4294967295, '4294967295'],
  OptionalWholeNumber: [5, '5', 0, 4294967295, '4294967295'],
  Limit: [5, '5', -1, '-1'],
  OptionalLimit: [5, '5', -1, '-1'],
  OptionalInteger: [5, '5', -1, '-1'],
  OptionalFlag: [true, false, 1, 0, 'true', 'false'],
  Text: ['text', '', 5],
  OptionalText: ['text', '', 5],
  BlockNumOrId: ['5', 5],
  Compression: [true, false, 0, 1, 'none', 'zlib'],
}

describe('leniency', () => {
  // A block is taken in the one form in which get_raw_block answers it.
  const lenient = operations.filter(({ name, body }) => body !== 'none' && name !== 'push_block')
  for (const { name, body, bodySchema } of lenient)
    describe(name, () => {
      const validate = validator(bodySchema)
      const valid = (value: unknown) => {
        expect(validate(value), `${JSON.stringify(value)} ${firstError(validate.errors)}`).to.equal(
          true,
        )
      }

      it('ignores fields that it does not know', () => {
        for (const form of forms(bodySchema).filter(({ type }) => type === 'object')) {
          valid(sample(form))
          valid({ ...sample(form), unknown_field: { nested: [1] } })
        }
      })

      it('takes null for an absent optional field that is not a name, and each form of a value', () => {
        for (const form of forms(bodySchema).filter(({ type }) => type === 'object'))
          for (const [field, schema] of Object.entries(form.properties ?? {})) {
            const withNull = { ...sample(form), [field]: null }
            if (kind(schema) === 'Name') expect(validate(withNull), field).to.equal(false)
            else if (!form.required?.includes(field)) valid(withNull)
            for (const value of SAME[kind(schema)] ?? []) valid({ ...sample(form), [field]: value })
          }
      })

      it(body === 'optional' ? 'takes an empty object' : 'refuses an empty object', () => {
        expect(validate({})).to.equal(body === 'optional')
      })
    })
})
