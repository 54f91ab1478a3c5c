import { expect } from 'chai'
import {
  getBlockTrace,
  getTransactionTrace,
} from '../../../../src/engine/services/trace_api/requests.ts'
import { ChainError } from '../../../../src/engine/errors.ts'

describe('requests of traces', () => {
  const refused = async (request: Promise<unknown>): Promise<ChainError> => {
    const error = await request.catch((failure: unknown) => failure)
    expect(error).instanceOf(ChainError)
    return error as ChainError
  }

  it('are refused where the trace API is off', async () => {
    const block = await refused(getBlockTrace(undefined, { block_num: 5 }))
    expect(block.errorName).equal('unsupported_feature')
    const transaction = await refused(getTransactionTrace(undefined, { id: 'ab'.repeat(32) }))
    expect(transaction.message).match(/the trace API is off/)
  })
})
