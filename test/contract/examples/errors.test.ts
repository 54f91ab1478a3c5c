/** What descriptions say about errors is so: each that they name is had from a node. */
import { expect } from 'chai'
import { ERRORS } from '../../../src/engine/index.ts'
import { temporaryFolder } from '../../support/node_process.ts'
import { contract, operations } from '../support.ts'
import { developmentChain } from './development_chain.ts'
import { CASES, ELSEWHERE, made } from './error_cases.ts'
import type { ExampleNode } from './example_node.ts'

interface Named {
  status: number
  error: string
}

/** The errors that a description names, each with the status before it. */
function namedErrors(description: string): Named[] {
  const [, text = ''] = /^Errors(.*)/ms.exec(description) ?? []
  let status = 0
  const named: Named[] = []
  for (const [, number, word = ''] of text.matchAll(/\b(\d{3})\s|`(\w+)`/g)) {
    if (number !== undefined) status = Number(number)
    else if (Object.hasOwn(ERRORS, word)) named.push({ status, error: word })
  }
  return named
}

const described = operations.map(({ path, name }) => {
  const { description } = contract.paths[path]!.post
  return { path, name, description, errors: namedErrors(description) }
})

describe('errors that operations name', () => {
  const { path: folder, remove } = temporaryFolder()
  let on: ExampleNode
  before(async () => {
    on = await developmentChain(folder)
  })
  after(async () => {
    await on.node.stop()
    remove()
  })

  it('every description has them, or says that there are none', () => {
    for (const { name, description, errors } of described) {
      const none = description.includes('no errors of its own')
      expect(none, name).equal(!/^Errors/m.test(description))
      if (none) expect(errors, name).deep.equal([])
    }
  })

  it('every one is asked for, or tested elsewhere', () => {
    for (const { name, errors } of described) {
      const names = new Set(errors.map(({ error }) => error))
      const known = Object.keys({ ...CASES[name], ...ELSEWHERE[name] })
      expect([...names].sort(), name).deep.equal(known.sort())
    }
  })

  for (const { path, name, errors } of described) {
    for (const [error, asked] of Object.entries(CASES[name] ?? {})) {
      it(`${name}: ${error}`, async () => {
        const { status, body } = await on.node.ask(path, { body: await made(on, asked) })
        const { code, error: told } = body as { code: number; error: { name: string } }
        const stated = errors.filter((named) => named.error === error)
        expect(stated).deep.include({ status, error: told.name })
        expect(code).equal(status)
      })
    }
  }

  it('send_transaction2 with return_failure_trace: what is an error still', async () => {
    const refused: string[] = []
    for (const [error, asked] of Object.entries(CASES.send_transaction2!)) {
      const body = { ...(await made(on, asked)), return_failure_trace: true }
      const answer = await on.node.chain('send_transaction2', body)
      if (answer.status !== 202) refused.push(error)
    }
    expect(refused).deep.equal([
      'packed_transaction_type_exception',
      'tx_duplicate',
      'expired_tx_exception',
      'tx_exp_too_far_exception',
    ])
  })
})
