import { expect } from 'chai'
import {
  ChainError,
  formatLog,
  limitedMessage,
  logOf,
  printableMessage,
} from '../../src/engine/errors.ts'
import type { LogData } from '../../src/engine/errors.ts'

const limited = (format: string, data: LogData) =>
  limitedMessage(new ChainError('chain_exception', '').withLog(format, data).details[0]!)

describe('messages of errors', () => {
  it('have arguments in their places, unknown places as they are', () => {
    const data = { text: 'alice', n: 7n, level: { actor: 'bob' }, list: ['a', 1] }
    expect(formatLog('${text} ${n} ${level} ${list} ${other} $ {', data)).to.equal(
      'alice 7 {"actor":"bob"} ["a",1] ${other} $ {',
    )
  })

  it('show integers beyond 32 bits as strings within JSON alone', () => {
    expect(formatLog('${n} ${o}', { n: 2n ** 64n - 1n, o: { n: 2n ** 64n - 1n } })).to.equal(
      '18446744073709551615 {"n":"18446744073709551615"}',
    )
    expect(formatLog('${o}', { o: [4_294_967_295, 4_294_967_296, -4_294_967_296n] })).to.equal(
      '[4294967295,"4294967296","-4294967296"]',
    )
  })

  it('keep format and arguments out of what answers show', () => {
    const error = new ChainError('chain_exception', 'x').withLog('x ${n}', { n: 1n })
    error.appendLog('', { create: { name: 'alice' } }).append('plain')
    expect(JSON.parse(JSON.stringify(error.details))).to.deep.equal(
      ['x 1', '', 'plain'].map((message) => ({ message, file: '', line_number: 0, method: '' })),
    )
    expect(error.details.map(logOf)).to.deep.equal([
      { format: 'x ${n}', data: { n: 1n } },
      { format: '', data: { create: { name: 'alice' } } },
      { format: 'plain', data: {} },
    ])
  })

  it('are limited: texts are cut, lists stay out', () => {
    const key = 'k'.repeat(53)
    expect(limited('keys: ${keys}', { keys: [key] })).to.equal(`keys: ["${key}"]`)
    expect(limited('keys: ${keys}', { keys: new Array<string>(18).fill(key) })).to.equal(
      `keys: [${new Array(18).fill(`"${key}"`).join()}]`,
    )
    expect(limited('keys: ${keys}', { keys: new Array<string>(19).fill(key) })).to.equal(
      'keys: ${keys}',
    )
    // Two arguments share the room that the format leaves.
    expect(limited('${a}${b}', { a: 'a'.repeat(600), b: 'b' })).to.equal(`${'a'.repeat(508)}...b`)
    expect(limited('x'.repeat(2000), {})).to.equal(`${'x'.repeat(1024)}...`)
    expect(limited('${n}', { n: 5 })).to.equal('5')
  })

  it('are limited, then control characters are shown by their numbers, as in the reference', () => {
    const text = '\u0001\b\t\n\v\r\u001f"\\\u007f\u0085\u009fä'
    const shown = '\\u0001\\u0008\t\n\\u000b\r\\u001f"\\\\u007f\\u0085\\u009fä'
    expect(printableMessage(text)).to.equal(shown)
    expect(limited('${s}', { s: text })).to.equal(shown)
    expect(limited(text, {})).to.equal(shown)
    expect(limited('${s}', { s: '\u0001'.repeat(2000) })).to.equal(`${'\\u0001'.repeat(1020)}...`)
  })
})
