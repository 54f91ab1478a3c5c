/** What the contract tests share: the bundled contract, recorded exchanges, and validators of both. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { checkedSchema, resolveRef } from '../../scripts/codegen/contract.ts'
import type { Contract, Schema } from '../../scripts/codegen/contract.ts'
import { listOperations } from '../../scripts/codegen/operations.ts'
import type { Operation } from '../../scripts/codegen/operations.ts'

export const root = join(import.meta.dirname, '../..')
export const contract = JSON.parse(
  readFileSync(join(root, 'generated/openapi.json'), 'utf8'),
) as Contract
export const operations: readonly Operation[] = listOperations(contract)

/** One recorded request and the answer of the reference, both as raw text. */
export interface Exchange {
  note?: string
  method: string
  path: string
  body: string | null
  status: number
  response: string | null
}

/** The exchanges of a recording (`one/reads`, `one/live`, `retry/exchanges`) in order. */
export function loadRecording(name: string): Exchange[] {
  const file = join(root, 'test/fixtures/recordings', `${name}.jsonl.gz`)
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as Exchange)
    .filter((exchange) => exchange.path !== undefined)
}

/** The value of a JSON text, or undefined where it is none: bad requests, texts that were cut. */
export function tryJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** How a validator takes the contract: as it is, or each of its schemas changed. */
type Reading = (schema: Schema) => Schema

/** Every field that is not described is refused, which the contract itself lets pass. */
export const closed: Reading = (schema) =>
  schema.properties !== undefined && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema

/** As requests are checked before the engine sees them. */
export const checked: Reading = checkedSchema

/** Validators by reference into the contract. */
export function validatorFactory(
  reading: Reading = (schema) => schema,
): (schema: Schema) => ValidateFunction {
  // Most of the generated code runs a few times: to make it faster costs more than it gives.
  const ajv = new Ajv({ strict: false, code: { optimize: false } })
  const schemas = Object.entries(contract.components.schemas)
  const components = { schemas: mapped(Object.fromEntries(schemas), reading) }
  ajv.addSchema({ $id: 'contract', components })
  return (schema) => {
    const text = JSON.stringify(everywhere(schema, reading))
    const absolute = text.replaceAll('"#/components', '"contract#/components')
    return ajv.compile(JSON.parse(absolute) as object)
  }
}

function mapped(schemas: { [name: string]: Schema }, reading: Reading): typeof schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, everywhere(schema, reading)]),
  )
}

/** The schema and all that it holds, changed. */
function everywhere(schema: Schema, reading: Reading): Schema {
  const out: Schema = { ...reading(schema) }
  if (out.properties !== undefined) out.properties = mapped(out.properties, reading)
  if (out.items !== undefined) out.items = everywhere(out.items, reading)
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    if (out[keyword] !== undefined) out[keyword] = out[keyword].map((s) => everywhere(s, reading))
  return out
}

/** The schema of the JSON body that an operation answers with a status, if it can. */
export function responseSchema(operation: Operation, status: number): Schema | undefined {
  const response = contract.paths[operation.path]?.post.responses[String(status)]
  if (response === undefined) return undefined
  return resolveRef(contract, response).content?.['application/json']?.schema
}

/** The first finding of a validator as one line. */
export function firstError(errors: readonly ErrorObject[] | null | undefined): string {
  const [error] = errors ?? []
  return error === undefined
    ? ''
    : `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`
}
