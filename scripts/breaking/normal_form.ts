import { resolveRef } from '../codegen/contract.ts'
import type { Contract, Schema } from '../codegen/contract.ts'

/** What tells about a schema and refuses nothing. */
const ANNOTATIONS = ['description', 'example', 'default', 'title', 'deprecated']
const SCALARS = ['string', 'integer', 'number', 'boolean']

/**
 * The contract with each of its schemas in one way of writing, so that another way to write the same
 * is no change: a reference with words beside it is the reference, references to scalars are in their
 * places without words, and a scalar is a choice of one, so that a choice that grows from it is an addition.
 */
export function normalForm(contract: Contract): Contract {
  return walk(contract, contract) as Contract
}

function walk(contract: Contract, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => walk(contract, entry))
  if (typeof value !== 'object' || value === null) return value
  const walked = Object.entries(value).map(([key, entry]) => {
    // What is called so is no schema, and may look like one.
    if (key === 'example' || key === 'examples' || key === 'default') return [key, entry]
    if (isMapOfSchemas(key, entry)) return [key, walkMap(contract, entry)]
    if (key === 'schema' || key === 'items') return [key, walkSchema(contract, entry as Schema)]
    return [key, walk(contract, entry)]
  })
  return Object.fromEntries(walked) as unknown
}

type Schemas = Record<string, Schema>

function isMapOfSchemas(key: string, value: unknown): value is Schemas {
  return (key === 'properties' || key === 'schemas') && typeof value === 'object' && value !== null
}

function walkMap(contract: Contract, schemas: Schemas): Schemas {
  const entries = Object.entries(schemas)
  return Object.fromEntries(entries.map(([name, schema]) => [name, walkSchema(contract, schema)]))
}

/** One schema where it stands: a property, the items of a list, a body or a component. */
function walkSchema(contract: Contract, schema: Schema): Schema {
  const bare = unwrapped(schema)
  const choices = choicesOf(contract, bare)
  if (choices === undefined) return walk(contract, bare) as Schema
  return { oneOf: choices.map((one) => walk(contract, one) as Schema) }
}

/** `allOf` of one reference with words beside it: the words stay where the reference is. */
function unwrapped(schema: Schema): Schema {
  const { allOf, ...rest } = schema
  const [only, ...more] = allOf ?? []
  const words = Object.keys(rest).every((key) => ANNOTATIONS.includes(key))
  return only !== undefined && more.length === 0 && words ? unwrapped(only) : schema
}

/** What a scalar or a choice may be; undefined for what is neither. */
function choicesOf(contract: Contract, schema: Schema): Schema[] | undefined {
  const bare = unwrapped(schema)
  if (bare.$ref !== undefined) return choicesOf(contract, resolveRef(contract, bare))
  if (bare.oneOf !== undefined) {
    if (Object.keys(bare).some((key) => key !== 'oneOf' && !ANNOTATIONS.includes(key))) return
    return bare.oneOf.flatMap((one) => choicesOf(contract, one) ?? [one])
  }
  if (!SCALARS.includes(bare.type ?? '')) return undefined
  return [Object.fromEntries(Object.entries(bare).filter(([key]) => !ANNOTATIONS.includes(key)))]
}
