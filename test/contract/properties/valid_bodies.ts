/** Bodies that the contract allows, from its schemas and examples alone. */
import fc from 'fast-check'
import { resolveRef, type Schema } from '../../../scripts/codegen/contract.ts'
import type { Operation } from '../../../scripts/codegen/operations.ts'
import { contract, validatorFactory } from '../support.ts'

const DEEP = 12
const validator = validatorFactory()

/** The bodies of the examples of an operation. */
export function exampleBodies({ path }: Operation): unknown[] {
  const { examples } = contract.paths[path]?.post.requestBody?.content['application/json'] ?? {}
  return Object.values(examples ?? {}).map((example) => resolveRef(contract, example).value)
}

/** Whether a body is one that the contract allows. */
export function bodyCheck(operation: Operation): (body: unknown) => boolean {
  const validate = validator(operation.bodySchema)
  return (body) => validate(body) === true
}

/** Valid bodies: examples, and whatever else the schema describes. */
export function validBodies(operation: Operation): fc.Arbitrary<unknown> {
  const allowed = bodyCheck(operation)
  const made = valuesOf(operation.bodySchema).filter(allowed)
  const examples = exampleBodies(operation)
  const shown = fc.constantFrom(...(examples.length > 0 ? examples : [{}]))
  return fc.oneof({ weight: 1, arbitrary: shown }, { weight: 4, arbitrary: made })
}

/** A schema with its references followed, as far as they lead to one schema. */
export function resolved(schema: Schema): Schema {
  if (schema.$ref !== undefined) return resolved(resolveRef<Schema>(contract, schema))
  const [only, ...others] = schema.allOf ?? []
  if (only === undefined || others.length > 0 || schema.properties !== undefined) return schema
  const own = Object.entries(schema).filter(([keyword]) => keyword !== 'allOf')
  return { ...resolved(only), ...Object.fromEntries(own) }
}

/** Values of a schema; a few may break keywords that are not looked at here, such as `not`. */
function valuesOf(given: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolved(given)
  const made = madeOf(schema, depth)
  const shown = schema.example === undefined ? made : fc.oneof(fc.constant(schema.example), made)
  const nothing = { weight: 1, arbitrary: fc.constant(null) }
  return schema.nullable ? fc.oneof({ weight: 6, arbitrary: shown }, nothing) : shown
}

function madeOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth > DEEP) return fc.constant(schema.example ?? null)
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as unknown[]))
  const choices = schema.properties ? undefined : (schema.oneOf ?? schema.anyOf)
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, depth + 1)))
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, depth)
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, depth + 1), {
        minLength: (schema.minItems as number | undefined) ?? 0,
        maxLength: Math.min(3, (schema.maxItems as number | undefined) ?? 3),
      })
    case 'string':
      return textsOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integersOf(schema)
    case 'number':
      return fc.oneof(integersOf(schema), fc.double({ noNaN: true, noDefaultInfinity: true }))
    default:
      return schema.properties ? objectsOf(schema, depth) : fc.jsonValue({ maxDepth: 2 })
  }
}

function objectsOf(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {})
  const values = fields.map(([name, value]) => [name, valuesOf(value, depth + 1)] as const)
  const required = (schema.required ?? []).filter((name) => name in (schema.properties ?? {}))
  return fc.record(Object.fromEntries(values), { requiredKeys: required, noNullPrototype: true })
}

/** Texts by their pattern: to make them of a pattern takes far longer than to take one. */
const matching = new Map<string, fc.Arbitrary<string>>()
const texts = fc.oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'grapheme' }))

function textsOf({ pattern }: Schema): fc.Arbitrary<string> {
  if (typeof pattern !== 'string') return texts
  const made = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  matching.set(pattern, made)
  return made
}

function integersOf({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = (minimum as number | undefined) ?? Number.MIN_SAFE_INTEGER
  const max = (maximum as number | undefined) ?? Number.MAX_SAFE_INTEGER
  return fc.oneof(fc.maxSafeInteger(), fc.nat(300), fc.constantFrom(min, max)).map((value) => {
    return Math.min(max, Math.max(min, value))
  })
}
