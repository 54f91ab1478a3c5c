import { expect } from 'chai'
import { AnswerCache } from '../../src/server/answer_cache.ts'
import { payloadOf, type Payload } from '../../src/server/send.ts'
import { routes } from '../../generated/routes.ts'

const A = payloadOf('A')
const B = payloadOf('B')

describe('answers to reads that were asked before', () => {
  let version: number
  let now: number
  let cache: AnswerCache
  beforeEach(() => {
    version = 1
    now = 0
    cache = new AnswerCache(
      () => version,
      () => now,
    )
  })

  /** Asks twice. */
  function keep(operationId: string, question: string, answer: Payload): void {
    for (let i = 0; i < 2; i++) cache.keep(operationId, question, answer, version)
  }

  it('are kept when they are asked for the second time', () => {
    cache.keep('get_account', '{}', A, version)
    expect(cache.find('get_account', '{}')).equal(undefined)
    cache.keep('get_info', '{}', A, version)
    expect(cache.find('get_info', '{}')).equal(undefined)
    cache.keep('get_account', '{}', B, version)
    expect(cache.find('get_account', '{}')).equal(B)
    version++
    cache.keep('get_account', '{}', B, version)
    expect(cache.find('get_account', '{}')).equal(undefined)
  })

  it('are given again while nothing happened', () => {
    keep('get_account', '{"account_name":"alice"}', A)
    expect(cache.find('get_account', '{"account_name":"alice"}')).equal(A)
    expect(cache.find('get_account', '{"account_name":"bob"}')).equal(undefined)
    expect(cache.find('get_abi', '{"account_name":"alice"}')).equal(undefined)
  })

  it('are dropped when the chain changes, and after a short time', () => {
    keep('get_info', '', A)
    version = 2
    expect(cache.find('get_info', '')).equal(undefined)
    keep('get_info', '', B)
    now = 99
    expect(cache.find('get_info', '')).equal(B)
    now = 100
    expect(cache.find('get_info', '')).equal(undefined)
  })

  it('are not kept when the chain changed while they were made', () => {
    for (let i = 0; i < 3; i++) cache.keep('get_info', '', A, version - 1)
    expect(cache.find('get_info', '')).equal(undefined)
  })

  it('are dropped when an operation may have changed something else', () => {
    keep('get_account', '{}', A)
    cache.clear()
    expect(cache.find('get_account', '{}')).equal(undefined)
  })

  it('take a bounded amount of memory', () => {
    const big = payloadOf('x'.repeat(2 ** 20))
    for (let i = 0; i < 100; i++) keep('get_code', `${i}`, big)
    const kept = Array.from({ length: 100 }, (_, i) => cache.find('get_code', `${i}`))
    expect(kept.filter((answer) => answer !== undefined).length).equal(31)
    keep('get_code', 'x'.repeat(5000), A)
    expect(cache.find('get_code', 'x'.repeat(5000))).equal(undefined)
  })

  it('are only those of operations that read, and of none that follows more than the chain', () => {
    for (const { operationId, category, cacheable } of Object.values(routes)) {
      if (cacheable) expect(category, operationId).match(/^(chain_info|chain_ro|node)$/)
    }
    const kept = new Set(Object.values(routes).filter(({ cacheable }) => cacheable))
    for (const path of [
      'chain/get_transaction_status',
      'node/get_supported_apis',
      'producer/paused',
    ]) {
      expect(kept.has(routes[`/v1/${path}`]!), path).equal(false)
    }
  })
})
