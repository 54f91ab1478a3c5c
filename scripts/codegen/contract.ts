/** The shape of the bundled contract, as far as the generators read it. */

export interface Schema {
  $ref?: string
  type?: string
  nullable?: boolean
  description?: string
  example?: unknown
  required?: string[]
  properties?: { [name: string]: Schema }
  additionalProperties?: boolean | Schema
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  not?: Schema
  [keyword: string]: unknown
}

export interface Example {
  $ref?: string
  summary?: string
  value?: unknown
}

export interface Content {
  [mime: string]: { schema: Schema; examples?: { [name: string]: Example } }
}

export interface Response {
  $ref?: string
  description?: string
  content?: Content
}

export interface PathOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  'x-category': string
  'x-cacheable'?: boolean
  parameters?: { $ref?: string; name?: string }[]
  requestBody?: { required?: boolean; content: Content }
  responses: { [status: string]: Response }
}

export interface Contract {
  'x-generated'?: string
  openapi: string
  info: { title: string; description: string; version: string }
  servers?: { url: string; description?: string }[]
  paths: { [path: string]: { get?: PathOperation; post: PathOperation } }
  components: {
    schemas: { [name: string]: Schema }
    responses: { [name: string]: Response }
    examples: { [name: string]: Example }
    [kind: string]: { [name: string]: unknown }
  }
}

/** Keywords of a schema that the engine itself checks, so that it answers with its own error. */
const BY_ENGINE = 'x-checked-by-engine'

/** The schema as validators have it: without what it leaves to the engine. Its parts are as they were. */
export function checkedSchema(schema: Schema): Schema {
  const left = schema[BY_ENGINE] as string[] | undefined
  if (left === undefined) return schema
  const kept = Object.entries(schema).filter(([keyword]) => !left.includes(keyword))
  return Object.fromEntries(kept.filter(([keyword]) => keyword !== BY_ENGINE))
}

/** What `ref` (`#/components/<kind>/<name>`) points to. */
export function resolveRef<T>(contract: Contract, value: T | { $ref?: string }): T {
  const ref = (value as { $ref?: string }).$ref
  if (ref === undefined) return value as T
  const [, , kind = '', name = ''] = ref.split('/')
  const target = contract.components[kind]?.[name]
  if (target === undefined) throw new Error(`nothing at ${ref}`)
  return target as T
}
