/**
 * Every field of every operation with values that clients get wrong: whatever comes back is an
 * answer of the contract, never a fault of the node.
 */
import { expect } from 'chai'
import { resolveRef, type Schema } from '../../scripts/codegen/contract.ts'
import { contract, operations, responseSchema, validatorFactory } from '../contract/support.ts'
import type { Answer } from '../support/http.ts'
import { TestNode } from '../support/test_node.ts'

const validator = validatorFactory()

/** Values that fit nowhere, and some that fit somewhere. */
const JUNK: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  4294967296,
  '',
  ' ',
  'x',
  '-1',
  '0x10',
  '1e3',
  'ALICE',
  'alice.',
  'toolongaccountname',
  'zzzzzzzzzzzzz',
  '\u0000',
  'ä',
  '\ud800',
  '18446744073709551616',
  'x'.repeat(5000),
  'f'.repeat(63),
  'zz'.repeat(32),
  'EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CX',
  'SIG_K1_111111111111111111111111111111111111111111111111111111111111111116uk5ne',
  '2030-13-01T00:00:00',
  '1 SYS',
  '19,SYS',
  [],
  [[]],
  [null],
  ['x'],
  [['a', 'b', 'c']],
  {},
  { x: 1 },
  { params: null },
]

/** Examples of the body of an operation. */
function examplesOf(path: string): object[] {
  const { examples } = contract.paths[path]?.post.requestBody?.content?.['application/json'] ?? {}
  return Object.values(examples ?? {}).map(
    (example) => resolveRef(contract, example).value as object,
  )
}

/** Every form of a body in which one place, at any depth, has another value or is missing. */
function* mutations(body: unknown, depth = 0): Generator<unknown> {
  if (depth > 0) yield* JUNK
  if (typeof body !== 'object' || body === null) return
  for (const [key, value] of Object.entries(body)) {
    const put = (changed: unknown): unknown =>
      Array.isArray(body)
        ? body.map((item, index) => (String(index) === key ? changed : (item as unknown)))
        : { ...body, [key]: changed }
    if (!Array.isArray(body)) {
      yield Object.fromEntries(Object.entries(body).filter(([other]) => other !== key))
    }
    for (const changed of mutations(value, depth + 1)) yield put(changed)
  }
}

function checkAnswer(operation: (typeof operations)[number], answer: Answer, sent: string): void {
  const schema = responseSchema(operation, answer.status)
  const what = `${operation.name} ${answer.status} for ${sent}: ${answer.text.slice(0, 500)}`
  expect(schema, what).not.equal(undefined)
  const validate = validatorOf(schema!)
  expect(validate(answer.body), what).equal(true)
  if (answer.status < 400) return
  // The trace API answers without details, as in the reference.
  if (operation.group === 'trace_api') return
  const { error } = answer.body as { error: { name: string; details: object[] } }
  expect(error.details, what).not.deep.equal([])
}

const compiled = new Map<string, ReturnType<typeof validator>>()
function validatorOf(schema: Schema): ReturnType<typeof validator> {
  const key = JSON.stringify(schema)
  const known = compiled.get(key) ?? validator(schema)
  compiled.set(key, known)
  return known
}

describe('server: values that are wrong', () => {
  let node: TestNode
  before(async () => {
    node = await TestNode.start({ argv: ['--verbose-http-errors'] })
  })
  after(async () => {
    await node.nextBlock()
    await node.stop()
  })

  for (const operation of operations.filter(({ body }) => body !== 'none')) {
    it(`${operation.name} answers by the contract`, async () => {
      const examples = examplesOf(operation.path)
      expect(examples).not.deep.equal([])
      for (const example of examples) {
        for (const body of mutations(example)) {
          const sent = JSON.stringify(body)
          checkAnswer(operation, await node.ask(operation.path, { body: sent }), sent.slice(0, 500))
        }
      }
      // Schedules that the values made come due, and a node in memory keeps no snapshots.
      const faults = node.faults.filter((line) => !line.startsWith('warn no snapshot of block'))
      expect(faults.slice(0, 3).join('\n')).equal('')
      await node.producer('pause_at_block', { block_num: 0 })
    })
  }
})
