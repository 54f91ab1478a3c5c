/** What the contract leaves to the engine to check (`x-checked-by-engine`) is refused by it. */
import { expect } from 'chai'
import { isObject } from '../../src/engine/abi/lenient_json.ts'
import { bodyValidators } from '../../generated/validators.ts'
import type { Validator } from '../../generated/validators.ts'
import type { TestNode } from '../support/test_node.ts'
import { REQUESTS, SPECIFIED } from './client_requests.ts'
import { startReplayedNode } from './recordings/replayed_node.ts'
import { operations, validatorFactory } from './support.ts'

const validator = validatorFactory()
const JUNK: unknown[] = [{}, [], [5], 5, -1, 1.5, 'zz', '', true, null, { field: 1 }]

/** The value with one part replaced by each junk, or taken away; every part in turn. */
function* broken(value: unknown): Generator<unknown> {
  yield* JUNK
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries())
      for (const other of broken(item)) yield value.with(i, other)
  } else if (typeof value === 'object' && value !== null) {
    for (const [field, part] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== field))
      for (const other of broken(part)) yield { ...value, [field]: other }
    }
  }
}

/** Bodies of an operation as clients write them. */
const bodiesOf = (operation: string): unknown[] =>
  [...Object.values(REQUESTS), SPECIFIED].flatMap((requests) => requests[operation] ?? [])

describe('rules that the engine checks', () => {
  let node: TestNode
  before(async () => {
    node = await startReplayedNode()
  })
  after(async () => {
    await node.stop()
    expect(node.faults).deep.equal([])
  })

  const left = operations.filter(({ name, bodySchema }) => {
    const check = validator(bodySchema)
    const compiled = (bodyValidators as { [name: string]: Validator })[name]!
    return bodiesOf(name).some((body) =>
      [...broken(body)].some((other) => compiled(other) && !check(other)),
    )
  })

  it('are of many operations', () => {
    expect(left.length).greaterThan(15)
  })

  for (const { name, path, bodySchema } of left)
    it(`${name} refuses what breaks one`, async () => {
      const check = validator(bodySchema)
      const compiled = (bodyValidators as { [name: string]: Validator })[name]!
      const seen = new Set<string>()
      for (const body of bodiesOf(name).flatMap((valid) => [...broken(valid)])) {
        const text = JSON.stringify(body)
        if (seen.has(text) || !compiled(body) || check(body)) continue
        seen.add(text)
        const answer = await node.ask(path, { body: text })
        // There each object is refused in its place.
        const in_place = name === 'push_transactions' && (body as unknown[]).every(isObject)
        if (!in_place) expect(answer.status, text).within(400, 599)
        else expect(answer.text, text).match(/"processed":\{"error":"[0-9]+ /)
        expect(answer.text, text).not.match(/internal error/)
      }
      expect(seen.size).greaterThan(0)
    })
})
