import type { Account } from '../account.ts'
import { Blockchain } from '../blockchain.ts'
import { expectToThrow } from './expect_to_throw.ts'

/** Contracts, accounts and tests as data. */
export interface Fixtures {
  contracts: { name: string; path: string; enableInline: boolean }[]
  accounts: string[]
  beforeEach: { helper: string }[]
  tests: {
    description: string
    cases: {
      title: string
      actions: {
        contract: string
        action: string
        data: object | unknown[]
        authorization: string
        expectErrorMessage?: string
      }[]
    }[]
  }[]
}

/** The functions of mocha, jest and others that define tests. */
interface TestRunner {
  beforeEach(f: () => unknown): void
  describe(title: string, f: () => void): void
  it(title: string, f: () => Promise<void>): void
}

/** Defines the tests of fixtures with the functions of the test runner. */
export function processFixtures(fixture: Fixtures): void {
  const { beforeEach, describe, it } = globalThis as unknown as TestRunner
  const blockchain = new Blockchain()
  const accounts: Record<string, Account<Blockchain>> = {}
  for (const { name, path, enableInline } of fixture.contracts)
    accounts[name] = blockchain.createContract(name, path, enableInline)
  for (const name of fixture.accounts) accounts[name] = blockchain.createAccount(name)

  beforeEach(() => {
    if (fixture.beforeEach.some(({ helper }) => helper === 'resetTables')) blockchain.resetTables()
  })
  for (const { description, cases } of fixture.tests)
    describe(description, () => {
      for (const { title, actions } of cases)
        it(title, async () => {
          for (const { contract, action, data, authorization, expectErrorMessage } of actions) {
            const sent = accounts[contract]!.actions[action]!(data).send(authorization)
            if (expectErrorMessage) await expectToThrow(sent, expectErrorMessage)
            else await sent
          }
        })
    })
}
