import { HEADER } from './header.ts'
import type { Operation } from './operations.ts'

/**
 * generated/routes.ts: every path with its operation, its handler and its body validator. `handlers`
 * has the mapped type of all operations, so a handler that is missing or has another type does not compile.
 */
export function generateRoutes(operations: readonly Operation[]): string {
  const union = (values: readonly string[]) =>
    [...new Set(values)].map((value) => `'${value}'`).join(' | ')
  return `${HEADER}
import type { ServedEngine } from '../src/engine/index.ts'
import type { Handlers, Listener } from '../src/handlers/types.ts'
import { bodyValidators } from './validators.ts'
import type { Validator } from './validators.ts'
${operations.map(({ name, group }) => `import { ${name} } from '../src/handlers/${group}/${name}.ts'`).join('\n')}

export type Group = ${union(operations.map((operation) => operation.group))}
/** Which operations are served together at one address, under the reference's names. */
export type Category = ${union(operations.map((operation) => operation.category))}

export interface Route {
  readonly operationId: keyof Handlers
  readonly group: Group
  readonly category: Category
  readonly successStatus: 200 | 201 | 202
  readonly methods: readonly ('GET' | 'POST')[]
  /** none: takes no field; optional: an absent body is an empty object; required: must be there. */
  readonly body: 'none' | 'optional' | 'required'
  /** Whether \`Prefer: return=minimal\` asks for \`null\` instead of the answer. */
  readonly minimal: boolean
  /** Whether an answer may be kept while the chain does not change. */
  readonly cacheable: boolean
  readonly validateBody: Validator
  readonly handler: (engine: ServedEngine, body: never, listener: Listener) => unknown
}

export const handlers: Handlers = {
${operations.map(({ name }) => `  ${name},`).join('\n')}
}

export const routes: { readonly [path: string]: Route } = {
${operations.map(route).join('\n')}
}
`
}

function route(operation: Operation): string {
  const { path, name, group, category, successStatus, methods, body, minimal, cacheable } =
    operation
  const list = methods.map((method) => `'${method}'`).join(', ')
  return `  '${path}': {
    operationId: '${name}',
    group: '${group}',
    category: '${category}',
    successStatus: ${successStatus},
    methods: [${list}],
    body: '${body}',
    minimal: ${minimal},
    cacheable: ${cacheable},
    validateBody: bodyValidators.${name},
    handler: handlers.${name},
  },`
}
