/** What the contract tests share: the bundled contract, recorded exchanges, and validators of both. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Ajv } from 'ajv'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { resolveRef } from '../../scripts/codegen/contract.ts'
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

/**
 * Validators by reference into the contract. A closed validator also refuses every field that the
 * contract does not describe, which the contract itself lets pass.
 */
export function validatorFactory(closed: boolean): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv({ strict: false })
  const { schemas } = contract.components
  const components = closed
    ? Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, close(schema)]))
    : schemas
  ajv.addSchema({ $id: 'contract', components: { schemas: components } })
  return (schema) => {
    const absolute = JSON.stringify(schema).replaceAll('"#/components', '"contract#/components')
    return ajv.compile(JSON.parse(absolute) as object)
  }
}

function close(schema: Schema): Schema {
  const out: Schema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties')
      out.properties = Object.fromEntries(
        Object.entries(value as { [name: string]: Schema }).map(([name, s]) => [name, close(s)]),
      )
    else if (Array.isArray(value) && ['allOf', 'anyOf', 'oneOf'].includes(keyword))
      out[keyword] = (value as Schema[]).map(close)
    else if (keyword === 'items') out.items = close(value as Schema)
    else out[keyword] = value
  }
  if (out.properties !== undefined && out.additionalProperties === undefined)
    out.additionalProperties = false
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
