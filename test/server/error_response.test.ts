import { expect } from 'chai'
import { failUnknownAccount } from '../../src/engine/chain/base/unknown_key.ts'
import { ChainError } from '../../src/engine/errors.ts'
import { refuseDuplicate } from '../../src/engine/state/refuse_duplicate.ts'
import { errorResponse } from '../../src/server/error_response.ts'

describe('answers to errors', () => {
  it('show control characters of contracts by their numbers, as the reference does', () => {
    const console = '\u0001\t"\u009f'
    const error = new ChainError('abort_called', 'a\u0002').appendLog('${console}', { console })
    const shown = (verbose: boolean) =>
      errorResponse(error, verbose)!.body.error.details.map(({ message }) => message)
    expect(shown(true)).deep.equal(['a\\u0002', '\\u0001\t"\\u009f'])
    expect(shown(false)).deep.equal(['a\\u0002'])
  })

  it('name the type of a failure of the C++ library in an action; its text leads the first line', () => {
    const thrown = (f: () => never): ChainError => {
      try {
        return f()
      } catch (error) {
        return (error as ChainError).appendLog('${receiver} <= go', { receiver: 'bob' })
      }
    }
    const shown = (error: ChainError, verbose: boolean) => {
      const { code, name, details } = errorResponse(error, verbose)!.body.error
      return [code, name, ...details.map(({ message }) => message)]
    }
    const unknown = thrown(() => failUnknownAccount(0n))
    const double = thrown(() => refuseDuplicate('insert'))
    const text = 'could not insert object, most likely a uniqueness constraint was violated'
    for (const verbose of [false, true]) {
      expect(shown(unknown, verbose)).deep.equal([
        13,
        'N5boost10wrapexceptISt12out_of_rangeEE',
        'unknown key (eosio::chain::name): : bob <= go',
      ])
      expect(shown(double, verbose)).deep.equal([
        13,
        'N5boost10wrapexceptISt11logic_errorEE',
        `${text}: bob <= go`,
      ])
    }
  })
})
