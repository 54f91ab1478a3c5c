import { expect } from 'chai'
import { Script } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import {
  createMetadata,
  createUnsignedMetadata,
  withRecoveredKeys,
} from '../../../../src/engine/chain/base/transaction_metadata.ts'
import { makePackedTransaction } from '../../../../src/engine/protocol/packed_transaction.ts'
import { plainTransaction } from '../../../../src/engine/protocol/transaction.ts'

const RECOVERED = { keys: [Uint8Array.of(0, 1), Uint8Array.of(0, 2)], cpu_usage_us: 7 }

describe('the metadata of a transaction', () => {
  const trx = {
    ...{ expiration: 5, ref_block_num: 1, ref_block_prefix: 2 },
    ...plainTransaction([]),
  }
  const packed = makePackedTransaction(trx, [])

  it('is the same whether its keys are known at first or later', () => {
    const later = withRecoveredKeys(createMetadata(packed, 'input'), RECOVERED)
    expect(later).deep.equal(createMetadata(packed, 'input', RECOVERED))
  })

  it('has one form for V8, so that code for one is code for all', () => {
    const first = createMetadata(packed, 'input', RECOVERED)
    const later = withRecoveredKeys(createMetadata(packed, 'input'), RECOVERED)
    expect(haveSameMap(first, later)).equal(true)
    expect(haveSameMap(first, createUnsignedMetadata(trx, 'implicit'))).equal(true)
  })
})

/** Whether V8 has one hidden class for both. */
function haveSameMap(a: object, b: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  try {
    const compare = new Script('(a, b) => %HaveSameMap(a, b)').runInThisContext() as unknown
    return (compare as (a: object, b: object) => boolean)(a, b)
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}
