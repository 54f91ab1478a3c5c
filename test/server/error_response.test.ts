import { expect } from 'chai'
import { ChainError } from '../../src/engine/errors.ts'
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
})
