import { expect } from 'chai'
import { createAccount } from '../../../src/engine/chain/rules/accounts.ts'
import { N } from '../../../src/engine/protocol/name.ts'
import { getCode } from '../../../src/engine/queries/code.ts'
import type { StateChain } from '../../../src/engine/queries/query.ts'
import { createDatabase } from '../../../src/engine/state/database.ts'
import { refusalOf } from '../refusal.ts'

describe('queries: get_code', () => {
  it('code as WAST is refused, and a second detail says what was asked for', () => {
    const db = createDatabase()
    createAccount(db, N('alice'), 0)
    const chain = { db } as unknown as StateChain
    const ask = () => getCode(chain, { account_name: 'alice', code_as_wasm: 0 })
    const { errorName, details } = refusalOf(ask)
    expect(errorName).equal('unsupported_feature')
    expect(details.map(({ message }) => message)).deep.equal([
      'Returning WAST from get_code is no longer supported',
      'unable to retrieve account code',
    ])
  })
})
