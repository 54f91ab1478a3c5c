import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { ChainError, check, ERRORS, fail, rethrowAs } from '../../src/engine/errors.ts'
import type { ErrorName } from '../../src/engine/errors.ts'
import { refusalOf } from './refusal.ts'

describe('errors', () => {
  it('have unique codes, and families that exist', () => {
    const codes = new Map<number, string>()
    for (const [name, { code, base }] of Object.entries(ERRORS)) {
      if (base !== 'std_exception') expect(codes.get(code), name).to.equal(undefined)
      codes.set(code, name)
      if (base !== undefined) expect(ERRORS).to.have.property(base)
    }
    expect(codes.size).to.equal(249)
  })

  it('carry the codes that clients match', () => {
    expect(ERRORS.tx_duplicate).to.deep.include({ code: 3040008, http: 409 })
    expect(ERRORS.unsatisfied_authorization).to.deep.include({ code: 3090003, http: 401 })
    expect(ERRORS.eosio_assert_message_exception.code).to.equal(3050003)
    expect(ERRORS.eof_exception).to.deep.include({ code: 11 })
    expect(ERRORS.tx_cpu_usage_exceeded.http).to.equal(undefined)
  })

  it('are those that the reference answered with', () => {
    let seen = 0
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const child of Object.values(value)) visit(child)
      const { error, except } = value as Record<string, Record<string, unknown> | null | undefined>
      if (typeof except === 'object' && except !== null)
        known(except.name, except.code, except.message)
      if (typeof error === 'object' && error?.name !== undefined) {
        known(error.name, error.code, error.what)
      }
    }
    const known = (name: unknown, code: unknown, what: unknown): void => {
      seen++
      const error = new ChainError(name as ErrorName, String(what))
      expect([error.errorName, error.code, error.what]).to.deep.equal([name, code, what])
    }
    for (const file of ['one/live', 'one/reads', 'retry/exchanges']) {
      const url = new URL(`../fixtures/recordings/${file}.jsonl.gz`, import.meta.url)
      for (const line of gunzipSync(readFileSync(url)).toString().split('\n')) {
        if (line === '') continue
        const { response } = JSON.parse(line) as { response?: string }
        if (response?.startsWith('{')) visit(JSON.parse(response))
      }
    }
    expect(seen).to.be.greaterThan(900)
  })

  it('hold name, text and a story that grows', () => {
    const error = refusalOf(() => fail('tx_no_action', 'nothing to do'))
    expect(error).to.include({ errorName: 'tx_no_action', code: 3040002, message: 'nothing to do' })
    expect(error.what).to.equal('Transaction should have at least one normal action')
    error.append('while pushing')
    expect(error.details.map((d) => d.message)).to.deep.equal(['nothing to do', 'while pushing'])
  })

  it('know their families', () => {
    const error = new ChainError('leeway_deadline_exception', '')
    for (const family of ['leeway_deadline_exception', 'deadline_exception', 'chain_exception']) {
      expect(error.is(family as ErrorName)).to.equal(true)
    }
    expect(error.is('transaction_exception')).to.equal(false)
    expect(error.isChain).to.equal(true)
    expect(new ChainError('assert_exception', '').isChain).to.equal(false)
  })

  it('build a message only when needed', () => {
    let built = 0
    const message = (): string => `built ${++built}`
    check(true, 'chain_exception', message)
    expect(built).to.equal(0)
    expect(refusalOf(() => check(0, 'chain_exception', message)).message).to.equal('built 1')
  })

  it('become the name of what was being done, unless they are the chain’s', () => {
    const low = refusalOf(() =>
      rethrowAs('abi_exception', 'reading', () => fail('out_of_range_exception', 'too short')),
    )
    expect(low.errorName).to.equal('abi_exception')
    expect(low.details.map((d) => d.message)).to.deep.equal(['reading', 'too short'])
    const high = refusalOf(() =>
      rethrowAs('abi_exception', 'reading', () => fail('name_type_exception', 'bad name')),
    )
    expect(high.errorName).to.equal('name_type_exception')
    expect(high.details.map((d) => d.message)).to.deep.equal(['bad name', 'reading'])
    expect(rethrowAs('abi_exception', 'reading', () => 7)).to.equal(7)
    expect(() =>
      rethrowAs('abi_exception', 'x', () => {
        throw new TypeError('a bug')
      }),
    ).to.throw(TypeError)
  })
})
