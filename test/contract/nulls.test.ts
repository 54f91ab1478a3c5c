/** `null` is what the contract says it is: an absent field where a schema takes it, else refused. */
import { expect } from 'chai'
import type { Schema } from '../../scripts/codegen/contract.ts'
import type { TestNode } from '../support/test_node.ts'
import { REQUESTS, SPECIFIED } from './client_requests.ts'
import { CHANGES } from './properties/changes.ts'
import { exampleBodies, resolved } from './properties/valid_bodies.ts'
import { startReplayedNode } from './recordings/replayed_node.ts'
import { operations, validatorFactory } from './support.ts'

type Path = readonly (string | number)[]

const validator = validatorFactory()

/** An example of a schema with all of its fields. */
function full(given: Schema): unknown {
  const schema = resolved(given)
  if (schema.example !== undefined) return schema.example
  if (schema.type === 'array') return [full(schema.items ?? {})]
  const [choice] = schema.oneOf ?? schema.anyOf ?? []
  if (choice && !schema.properties) return full(choice)
  const fields = Object.entries(schema.properties ?? {})
  return Object.fromEntries(fields.map(([name, field]) => [name, full(field)]))
}

/** The ways in which an operation can be asked, each with all of its fields. */
function fullBodies(given: Schema): unknown[] {
  const schema = resolved(given)
  const choices = schema.properties ? undefined : (schema.oneOf ?? schema.anyOf)
  if (choices) return choices.flatMap(fullBodies)
  if (schema.type === 'array') return fullBodies(schema.items ?? {}).map((item) => [item])
  return [full(schema)]
}

/** Every field, in every depth. */
function* fields(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    if (!Array.isArray(value)) yield here
    yield* fields(part, here)
  }
}

/** The value with what is at a path changed; undefined takes a field away. */
function changed(value: unknown, [key, ...rest]: Path, to: null | undefined): unknown {
  if (key === undefined) return to
  if (typeof key === 'number') {
    const items = value as unknown[]
    return items.with(key, changed(items[key], rest, to))
  }
  const { [key]: part, ...others } = value as Record<string, unknown>
  const next = changed(part, rest, to)
  return next === undefined ? others : { ...others, [key]: next }
}

/** What was answered: of failures the error, of traces what does not tell of the moment. */
function said(status: number, text: string): string {
  if (status >= 300) return `${status} ${/"name":"\w+"/.exec(text)?.[0] ?? ''}`
  const parts = text.match(/"(transaction_id":"\w+|code":[0-9]+|error":"[0-9]+)/g) ?? []
  return text.includes('"processed"') ? parts.join(' ') : text
}

describe('null', () => {
  let node: TestNode
  before(async () => {
    node = await startReplayedNode()
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  async function ask(path: string, body: unknown): Promise<string> {
    const { status, text } = await node.ask(path, { body: JSON.stringify(body) })
    return said(status, text)
  }

  for (const operation of operations) {
    const { name, path, bodySchema, body } = operation
    if (body === 'none') continue
    const allowed = validator(bodySchema)
    const bodies = [
      ...exampleBodies(operation),
      ...[...Object.values(REQUESTS), SPECIFIED].flatMap((requests) => requests[name] ?? []),
      ...fullBodies(bodySchema),
    ].filter((one) => allowed(one))

    it(`${name}: where it may be, it is an absent field`, async () => {
      for (const one of bodies)
        for (const where of fields(one)) {
          const without = changed(one, where, undefined)
          const withNull = changed(one, where, null)
          // The arguments of an action are any JSON.
          if (where.includes('data') || !allowed(withNull) || !allowed(without)) continue
          const what = `${where.join('.')} of ${JSON.stringify(one)}`
          const answer = await ask(path, withNull)
          if (name in CHANGES) expect(answer, what).not.include('invalid_http_request')
          else expect(answer, what).equal(await ask(path, without))
        }
    })
  }
})
