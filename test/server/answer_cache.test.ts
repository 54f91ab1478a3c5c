import { expect } from 'chai'
import { AnswerCache, isCached } from '../../src/server/answer_cache.ts'
import { payloadOf } from '../../src/server/send.ts'
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

  it('are given again while nothing happened', () => {
    cache.keep('get_account', '{"account_name":"alice"}', A, version)
    expect(cache.find('get_account', '{"account_name":"alice"}')).equal(A)
    expect(cache.find('get_account', '{"account_name":"bob"}')).equal(undefined)
    expect(cache.find('get_abi', '{"account_name":"alice"}')).equal(undefined)
  })

  it('are dropped when the chain changes, and after a short time', () => {
    cache.keep('get_info', '', A, version)
    version = 2
    expect(cache.find('get_info', '')).equal(undefined)
    cache.keep('get_info', '', B, version)
    now = 99
    expect(cache.find('get_info', '')).equal(B)
    now = 100
    expect(cache.find('get_info', '')).equal(undefined)
  })

  it('are not kept when the chain went on while they were made', () => {
    cache.keep('get_info', '', A, version - 1)
    expect(cache.find('get_info', '')).equal(undefined)
  })

  it('are dropped when an operation may have changed something else', () => {
    cache.keep('get_account', '{}', A, version)
    cache.clear()
    expect(cache.find('get_account', '{}')).equal(undefined)
  })

  it('take a bounded amount of memory', () => {
    const big = payloadOf('x'.repeat(2 ** 20))
    for (let i = 0; i < 100; i++) cache.keep('get_code', `${i}`, big, version)
    const kept = Array.from({ length: 100 }, (_, i) => cache.find('get_code', `${i}`))
    expect(kept.filter((answer) => answer !== undefined).length).equal(31)
    cache.keep('get_code', 'x'.repeat(5000), A, version)
    expect(cache.find('get_code', 'x'.repeat(5000))).equal(undefined)
  })

  it('are only those of operations that read, and of none that follows more than the chain', () => {
    for (const { operationId, category } of Object.values(routes)) {
      if (isCached(operationId)) expect(category, operationId).match(/^(chain_info|chain_ro|node)$/)
    }
    for (const operationId of ['get_transaction_status', 'get_supported_apis', 'paused']) {
      expect(isCached(operationId), operationId).equal(false)
    }
  })
})
