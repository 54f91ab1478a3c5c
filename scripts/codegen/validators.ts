import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { checkedSchema } from './contract.ts'
import type { Contract, Schema } from './contract.ts'
import { HEADER } from './header.ts'
import type { Operation } from './operations.ts'

/** generated/validators.ts: one compiled validator for the request body of each operation. */
export function generateBodyValidators(
  contract: Contract,
  operations: readonly Operation[],
): string {
  const schemas = operations.map((operation) => [operation.name, operation.bodySchema] as const)
  return `${HEADER}// @ts-nocheck

/** One finding of a validator: where (a JSON pointer) and what. */
export interface ValidationError {
  instancePath: string
  schemaPath: string
  keyword: string
  params: Record<string, unknown>
  message?: string
}

/** Whether a value is valid; when not, \`errors\` says why until the next call. */
export interface Validator {
  (value: unknown): boolean
  errors?: ValidationError[] | null
}

${table('bodyValidators', contract, schemas)}`
}

/** generated/response_validators.ts: the same for the success body of each operation and the one of
 *  failures, and the statuses that each operation answers, for tests and checked runs. */
export function generateResponseValidators(
  contract: Contract,
  operations: readonly Operation[],
): string {
  const schemas = operations.map((operation) => [operation.name, operation.responseSchema] as const)
  const failure = ['Error', { $ref: '#/components/schemas/Error' }] as const
  const statuses = operations.map(({ name, path }) => {
    return `  ${name}: [${Object.keys(contract.paths[path]!.post.responses).join(', ')}],`
  })
  return `${HEADER}// @ts-nocheck
import type { Validator } from './validators.ts'

/** The statuses that the contract has for each operation. */
export const responseStatuses: { readonly [operation: string]: readonly number[] } = {
${statuses.join('\n')}
}

${table('responseValidators', contract, [...schemas, failure])}`
}

function table(
  name: string,
  contract: Contract,
  schemas: readonly (readonly [string, Schema])[],
): string {
  const ajv = new Ajv({ strict: false, code: { source: true, esm: true, optimize: 2 } })
  ajv.addSchema({
    $id: 'contract',
    components: { schemas: mapValues(contract.components.schemas) },
  })
  for (const [operation, schema] of schemas) ajv.addSchema(forAjv(schema), operation)
  const code = generateCode(
    ajv,
    schemas.map(([operation]) => operation),
  )
  // Nothing of Ajv is needed at run time; a keyword that would need it must be noticed here.
  if (code.includes('require(')) throw new Error('a validator needs the run time of Ajv')
  const type = schemas.map(([operation]) => `  ${operation}: Validator`).join('\n')
  const entries = schemas.map(([operation]) => `  ${operation}: validate_${operation},`).join('\n')
  return `${code}
export const ${name}: {
${type}
} = {
${entries}
}
`
}

function generateCode(ajv: Ajv, operations: readonly string[]): string {
  const names = Object.fromEntries(operations.map((name) => [`validate_${name}`, name]))
  const generator = standalone as unknown as { default: (ajv: Ajv, refs: object) => string }
  const code = generator
    .default(ajv, names)
    .replace(/^"use strict";/, '')
    .replace(/export const (validate_\w+) = (validate\d+);/g, '\nconst $1 = $2;')
    .replace(/(?<=[;}])(?=function validate)/g, '\n')
    .replace(/;(?=const )/g, ';\n')
  // Ajv writes every schema down, though compiled code reads few of them.
  const used = new Set([...code.matchAll(/schema\d+(?= ?\.|\[)/g)].map(([name]) => name))
  return code
    .split('\n')
    .filter((line) => !/^const schema\d+ = /.test(line) || used.has(line.split(' ')[1] ?? ''))
    .join('\n')
}

function mapValues(schemas: { [name: string]: Schema }): { [name: string]: Schema } {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, forAjv(schema)]))
}

/** The schema without what does not constrain, its references made global, single allOf taken apart. */
function forAjv(schema: Schema): Schema {
  const out: Schema = {}
  for (const [keyword, value] of Object.entries(checkedSchema(schema))) {
    if (['description', 'example', 'default'].includes(keyword)) continue
    if (keyword === '$ref') out.$ref = `contract${String(value)}`
    else if (keyword === 'properties')
      out.properties = mapValues(value as { [name: string]: Schema })
    else if (Array.isArray(value) && ['allOf', 'anyOf', 'oneOf'].includes(keyword))
      out[keyword] = (value as Schema[]).map(forAjv)
    else if (
      ['items', 'not', 'additionalProperties'].includes(keyword) &&
      typeof value === 'object'
    )
      out[keyword] = forAjv(value as Schema)
    else out[keyword] = value
  }
  const [only, ...more] = out.allOf ?? []
  return only !== undefined && more.length === 0 && Object.keys(out).length === 1 ? only : out
}
