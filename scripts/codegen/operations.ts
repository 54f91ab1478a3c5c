import type { Contract, PathOperation, Schema } from './contract.ts'

/** One operation of the contract. A path has exactly one; the GET of a path is only another way to ask for it. */
export interface Operation {
  path: string
  name: string
  group: string
  category: string
  successStatus: number
  methods: string[]
  /** none: takes no field; optional: an absent body is an empty object; required: must be there. */
  body: 'none' | 'optional' | 'required'
  /** Whether `Prefer: return=minimal` asks for `null` instead of the answer. */
  minimal: boolean
  /** Whether an answer may be kept while the chain does not change. */
  cacheable: boolean
  bodySchema: Schema
  responseSchema: Schema
}

const JSON_TYPE = 'application/json'
const EMPTY = '#/components/schemas/EmptyObject'

/** The operations of the contract in its own order; throws where the contract breaks the rules of the project. */
export function listOperations(contract: Contract): Operation[] {
  return Object.entries(contract.paths).map(([path, methods]) => readOperation(path, methods))
}

function readOperation(
  path: string,
  { get, post }: { get?: PathOperation; post: PathOperation },
): Operation {
  const [, version, group = '', last = ''] = path.split('/')
  const name = post.operationId
  // Two groups may have operations of one name, but operationIds are unique.
  const is_named = name === last || name.startsWith(`${last}_`)
  if (version !== 'v1' || !is_named || !post.tags.includes(group))
    throw new Error(
      `${path}: the operationId is the last part of the path, or begins with it; the tag is the part before`,
    )
  if (get !== undefined && get.operationId !== `${name}_by_get`)
    throw new Error(`${path}: the operationId of its GET is ${name}_by_get`)
  const bodySchema = post.requestBody?.content[JSON_TYPE]?.schema
  const [success, ...others] = Object.keys(post.responses).filter((status) => status < '300')
  const responseSchema = post.responses[success ?? '']?.content?.[JSON_TYPE]?.schema
  if (bodySchema === undefined || responseSchema === undefined || others.length > 0)
    throw new Error(`${path}: needs a JSON request body and one success status with a JSON body`)
  const body =
    bodySchema.$ref === EMPTY ? 'none' : post.requestBody?.required ? 'required' : 'optional'
  if ((body === 'required') === (get !== undefined))
    throw new Error(`${path}: takes GET exactly when its body may be absent`)
  const minimal = (post.parameters ?? []).some((parameter) => parameter.$ref?.endsWith('/Prefer'))
  return {
    path,
    name,
    group,
    category: post['x-category'],
    successStatus: Number(success),
    methods: get === undefined ? ['POST'] : ['GET', 'POST'],
    body,
    minimal,
    cacheable: post['x-cacheable'] ?? false,
    bodySchema,
    responseSchema,
  }
}
