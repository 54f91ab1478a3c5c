/**
 * Every recorded read that HTTP threads answer, and every request of them that is refused: the answer of a thread is
 * that of the chain's thread, byte for byte.
 */
import { expect } from 'chai'
import { routes, type Route } from '../../generated/routes.ts'
import { StateReader, type StateRead } from '../../src/engine/reading.ts'
import { errorResponse } from '../../src/server/error_response.ts'
import { plainJson } from '../../src/server/plain_json.ts'
import { Operations } from '../../src/server/operations.ts'
import { readBody } from '../../src/server/read_body.ts'
import { answerText } from '../../src/server/send.ts'
import { CATEGORIES } from '../../src/server/server_options.ts'
import { KeptClient } from '../support/kept_client.ts'
import { temporaryFolder } from '../support/node_process.ts'
import type { TestNode } from '../support/test_node.ts'
import { startReplayedNode } from './recordings/replayed_node.ts'
import { loadRecording } from './support.ts'

describe('recorded reads on an HTTP thread', () => {
  const folder = temporaryFolder()
  let node: TestNode

  before(async () => {
    node = await startReplayedNode(folder.path, {
      argv: ['--http-threads', '1'],
      server: { validate_responses: false },
    })
  })
  after(async () => {
    await node.stop()
    folder.remove()
  })

  it('are answered as the thread of the chain does', () => {
    const { reads } = node.engine
    const operations = new Operations(node.engine, new Set(CATEGORIES))
    const { access, release } = reads.open()
    const reader = new StateReader(access)
    const names = reads.operations()
    const counts = new Map<StateRead, { answers: number; errors: number }>()
    for (const { method, path, body } of loadRecording('one/reads')) {
      const route = routes[path]
      const operation = route?.operationId as StateRead
      if (!route || !names.has(operation)) continue
      const question = body ? plainJson(body) : undefined
      if (body && question === undefined) continue
      const ours = outcome(route, () => operations.answer(route, question, method))
      const theirs = outcome(route, () => {
        const checked = readBody(route, question, method)
        return reader.read((answer) => answer(operation, checked))
      })
      expect(theirs, `${path} ${body}`).equal(ours)
      const count = counts.get(operation) ?? { answers: 0, errors: 0 }
      count[ours.startsWith('200') ? 'answers' : 'errors']++
      counts.set(operation, count)
    }
    reader.close()
    release()
    for (const operation of names) {
      const { answers = 0, errors = 0 } = counts.get(operation) ?? {}
      expect(answers, `answers of ${operation}`).greaterThan(0)
      if (operation !== 'get_info') expect(errors, `errors of ${operation}`).greaterThan(0)
    }
    expect(names).to.include.all.keys('get_info', 'get_block', 'get_account')
  })

  it('are answered on a connection of a thread as on one of the chain, those too that it passes on', async () => {
    while (!node.server.threads.areRunning) node.server.threads.countRead()
    await node.server.threads.started()
    const here = await KeptClient.of(node, false)
    const there = await KeptClient.of(node, true)
    // Its first request that is not plain gives it to the thread of the chain.
    const given_away = await KeptClient.of(node, true)
    const { answered } = node.server.threads
    let asked = 0
    for (const { method, path, body, status } of loadRecording('one/reads')) {
      if (status === 0 || method === 'HEAD' || !/^\/[\w/]+$/.test(path)) continue
      const is_plain = /^(GET|POST)$/.test(method) && (!body || plainJson(body) !== undefined)
      const client = is_plain && path.startsWith('/v1/chain/') && routes[path] ? there : given_away
      const answer = await client.ask(method, path, body ?? undefined)
      const ours = await here.ask(method, path, body ?? undefined)
      expect(withoutTimes(answer), `${path} ${body}`).equal(withoutTimes(ours))
      asked++
    }
    for (const { socket } of [here, there, given_away]) socket.destroy()
    expect(node.faults).deep.equal([])
    expect(asked).above(1200)
    expect(node.server.threads.answered - answered).above(asked / 2)
  })
})

/** Traces and errors tell how long something took and when it happened, which the length depends on. */
function withoutTimes(answer: string): string {
  return answer.replace(
    /"(elapsed|cpu_usage_us|billing_timer)":\d+|content-length: \d+|too long \d+us|"timestamp":"[^"]*"/gi,
    '',
  )
}

function outcome({ operationId }: Route, ask: () => unknown): string {
  try {
    return `200 ${answerText(operationId, ask())}`
  } catch (error) {
    const failure = errorResponse(error, true)
    if (!failure) throw error
    return `${failure.status} ${JSON.stringify(failure.body)}`
  }
}
