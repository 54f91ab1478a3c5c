/**
 * Requests made from the contract alone, right ones and wrong ones: whatever is asked, the answer is
 * one that the contract describes, and nothing changes but what its operation changes.
 * SEED and RUNS repeat a run or make it longer.
 */
import { expect } from 'chai'
import fc from 'fast-check'
import type { Operation } from '../../../scripts/codegen/operations.ts'
import type { Answer } from '../../support/http.ts'
import { contract, firstError, operations, responseSchema, validatorFactory } from '../support.ts'
import { brokenBodies } from './broken_bodies.ts'
import { CHANGES, changing, makesManyBlocks, waitsForBlocks } from './changes.ts'
import { NodeWithState } from './node_with_state.ts'
import { exampleBodies, validBodies } from './valid_bodies.ts'

const seed = Number(process.env['SEED'] ?? 20_261_128)
const numRuns = Number(process.env['RUNS'] ?? 20)

/** What each operation answered: proof that none was left out. */
const answered = new Map<string, { right: number; wrong: number; statuses: Set<number> }>()
const validator = validatorFactory()
const checks = new Map<string, ReturnType<typeof validator>>()

/** Fails unless the contract describes this answer. */
function checkAnswer(operation: Operation, answer: Answer): void {
  const what = `${operation.name} answered ${answer.status} ${answer.text.slice(0, 600)}`
  const schema = responseSchema(operation, answer.status)
  if (!schema) return expect.fail(`${what}: no such status`)
  const key = `${operation.name} ${answer.status}`
  const validate = checks.get(key) ?? validator(schema)
  checks.set(key, validate)
  if (!validate(answer.body)) expect.fail(`${what}: ${firstError(validate.errors)}`)
  if (answer.status >= 500) checkFailure(operation, answer, what)
}

/** Families of errors that descriptions do not list one by one. */
const PASSED_ON = /what its actions fail with|what the ABI of a contract refuses/

/** A failure beyond 500 is one that the description names, or what a transaction fails with. */
function checkFailure(operation: Operation, answer: Answer, what: string): void {
  const { error } = answer.body as { error: { code: number; name: string } }
  // What is below three millions is not an error of the chain: a fault of the node itself.
  expect(error.code, what).at.least(3_000_000)
  const { description } = contract.paths[operation.path]!.post
  if (!PASSED_ON.test(description)) expect(description, what).include(`\`${error.name}\``)
}

/** Asks, and checks the answer and what has changed. */
async function askChecked(
  node: NodeWithState,
  operation: Operation,
  body: unknown,
): Promise<Answer> {
  const { name } = operation
  const waits = waitsForBlocks(name, body)
  const { answer, changed } = await (waits
    ? node.askWaiting(operation, body)
    : node.ask(operation, body))
  checkAnswer(operation, answer)
  const mayChange = answer.status < 300 ? (CHANGES[name] ?? []) : []
  const others = changed.filter((part) => !mayChange.includes(part))
  expect(others, `${name} changed something: ${answer.text.slice(0, 300)}`).deep.equal([])
  answered.get(name)!.statuses.add(answer.status)
  if (name in CHANGES && answer.status < 300) await node.goOn()
  return answer
}

/** Whether the request was refused; push_transactions refuses each transaction in its place. */
function isRefused({ name }: Operation, { status, text }: Answer): boolean {
  return status >= 400 || (name === 'push_transactions' && /"processed":\{"error"/.test(text))
}

const settings = { seed, numRuns, endOnFailure: true }

/** The two properties of one operation. */
function properties(operation: Operation, nodeOf: () => NodeWithState): void {
  const count = { right: 0, wrong: 0, statuses: new Set<number>() }
  answered.set(operation.name, count)

  it(`${operation.name}: right requests`, async () => {
    const given = [...exampleBodies(operation), ...(await nodeOf().fresh(operation))]
    for (const body of given) await askChecked(nodeOf(), operation, body)
    const bodies = validBodies(operation).filter((body) => !makesManyBlocks(operation.name, body))
    const right = fc.asyncProperty(bodies, async (body) => {
      await askChecked(nodeOf(), operation, body)
      count.right += 1
    })
    await fc.assert(right, settings)
  })

  it(`${operation.name}: requests that break one rule`, async () => {
    const wrong = fc.asyncProperty(brokenBodies(operation), async (broken) => {
      if (!broken) return
      const answer = await askChecked(nodeOf(), operation, broken.body)
      const what = `${broken.rule}: ${answer.status} ${answer.text.slice(0, 300)}`
      expect(isRefused(operation, answer), what).equal(true)
      count.wrong += 1
    })
    await fc.assert(wrong, settings)
  })
}

describe(`contract: any request (SEED=${seed} RUNS=${numRuns})`, () => {
  let node: NodeWithState
  before(async () => {
    node = await NodeWithState.start()
  })
  after(() => node.end())

  // Those that read come first: they have the most to read then.
  const last = new Set(changing.map(({ name }) => name))
  const reading = operations.filter(({ name }) => !last.has(name))
  for (const operation of [...reading, ...changing]) properties(operation, () => node)

  it('every operation was asked, rightly and wrongly, and succeeded', () => {
    expect([...answered.keys()].sort()).deep.equal(operations.map(({ name }) => name).sort())
    for (const { name, successStatus } of operations) {
      const { right, wrong, statuses } = answered.get(name)!
      expect(right, name).at.least(numRuns)
      expect(wrong, name).at.least(numRuns / 2)
      expect([...statuses], name).include(successStatus)
    }
  })

  it('CHANGES names the operations of all categories that are not in READING', () => {
    expect(Object.keys(CHANGES).sort(), 'changes.ts').deep.equal(
      changing.map(({ name }) => name).sort(),
    )
  })
})
