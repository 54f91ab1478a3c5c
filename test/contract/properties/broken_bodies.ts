/** Bodies that break one rule of the contract, made from valid ones. */
import fc from 'fast-check'
import type { Schema } from '../../../scripts/codegen/contract.ts'
import type { Operation } from '../../../scripts/codegen/operations.ts'
import { bodyCheck, resolved, validBodies } from './valid_bodies.ts'

/** A body, and where and how it is wrong. */
export interface Broken {
  rule: string
  body: unknown
}

/** Values of which at least one breaks the type or the limits of any schema. */
const WRONG = [
  {},
  [],
  [[]],
  true,
  1.5,
  -1,
  2 ** 53,
  1e300,
  '',
  ' ',
  '\u0000',
  'NOT!',
  'x'.repeat(500),
  null,
  { a: 1 },
]

/** Bodies that break a rule; undefined if a body has none to break. */
export function brokenBodies(operation: Operation): fc.Arbitrary<Broken | undefined> {
  const allowed = bodyCheck(operation)
  return fc.tuple(validBodies(operation), fc.nat()).map(([valid, choice]) => {
    const broken = [...breaks(operation.bodySchema, valid, '')].filter(({ body }) => !allowed(body))
    // By rule first: there are many wrong values for one place, and few places where a field is missing.
    const rules = [...new Set(broken.map(({ rule }) => rule))]
    const rule = rules[choice % Math.max(1, rules.length)]
    const ways = broken.filter((one) => one.rule === rule)
    return ways[Math.floor(choice / Math.max(1, rules.length)) % Math.max(1, ways.length)]
  })
}

/** Every form of a value in which one place is different. */
function* breaks(given: Schema, value: unknown, where: string): Generator<Broken> {
  const schema = resolved(given)
  const type = String(schema.type ?? 'choice')
  for (const body of WRONG) yield { rule: `${where} ${type}`, body }
  for (const body of overLimits(schema)) yield { rule: `${where} limit`, body }
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) yield* breaksInArray(schema, value, where)
  else yield* breaksInObject(schema, value as Record<string, unknown>, where)
}

function* overLimits({ minimum, maximum, pattern, example }: Schema): Generator<unknown> {
  if (typeof minimum === 'number') yield minimum - 1
  if (typeof maximum === 'number') yield maximum + 1
  if (typeof pattern !== 'string') return
  yield `${String(example)}\n`
  yield `!${String(example)}`
}

function* breaksInArray(schema: Schema, value: unknown[], where: string): Generator<Broken> {
  const { minItems, maxItems } = schema
  if (minItems !== undefined) yield { rule: `${where} minItems`, body: value.slice(1) }
  if (maxItems !== undefined) yield { rule: `${where} maxItems`, body: [...value, ...value, 1] }
  for (const [index, item] of value.entries()) {
    for (const { rule, body } of breaks(schema.items ?? {}, item, `${where}[]`)) {
      yield { rule, body: value.with(index, body) }
    }
  }
}

function* breaksInObject(
  schema: Schema,
  value: Record<string, unknown>,
  where: string,
): Generator<Broken> {
  if (schema.additionalProperties === false || schema.maxProperties !== undefined) {
    yield { rule: `${where} unknown field`, body: { ...value, unknown_field: 1 } }
  }
  for (const name of schema.required ?? []) {
    const others = Object.entries(value).filter(([field]) => field !== name)
    yield { rule: `${where} requires ${name}`, body: Object.fromEntries(others) }
  }
  for (const choice of [schema, ...(schema.oneOf ?? schema.anyOf ?? []).map(resolved)]) {
    for (const [name, field] of Object.entries(choice.properties ?? {})) {
      for (const { rule, body } of breaks(field, value[name], `${where}.${name}`)) {
        yield { rule, body: { ...value, [name]: body } }
      }
    }
  }
}
