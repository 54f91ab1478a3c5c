/**
 * Executes transactions on a chain of its own until V8 has compiled what executes them. Otherwise the first
 * transactions of users would be billed several times as much as later ones.
 */
import { packAbi } from '../abi/abi_binary.ts'
import { SYSTEM_ABI } from '../abi/system_abi.ts'
import type { TransactionTrace } from '../chain/base/trace.ts'
import type { Clock } from '../clock.ts'
import { SYSTEM_ACCOUNT } from '../protocol/constants.ts'
import { N } from '../protocol/name.ts'
import { packAction } from '../protocol/transaction.ts'
import { packOne } from '../protocol/writer.ts'
import { ExampleChain, exampleAction } from './example_chain.ts'
import { FAIL, WORK, exampleContract } from './example_contracts.ts'

/** After these, few functions are still to be compiled: more save little. */
const ROUNDS = 40
/** Codes of each kind: what runs them sees more than one, and few stay in memory until garbage is collected. */
const CODES = 2

/**
 * Deploys contracts, runs them and makes blocks. Nothing of it is on a disk or stays after the last step.
 * @returns the traces of the transactions; each step takes a few milliseconds
 */
export function* chainSteps(
  clock: Pick<Clock, 'now' | 'waited'>,
  rounds = ROUNDS,
): Generator<TransactionTrace | undefined> {
  const chain = yield* ExampleChain.create(clock)
  const abi = packAbi(SYSTEM_ABI)
  for (let round = 0; round < rounds; round++) {
    const account = N('example') + (BigInt(round + 1) << 4n)
    const run = (name: bigint, data: Uint8Array): TransactionTrace =>
      chain.push(exampleAction(account, account, name, data))
    chain.begin()
    yield chain.newAccount(account)
    for (const what of ['account', 'rows', 'keys', 'sending'] as const) {
      const code = exampleContract(what, round % CODES, SYSTEM_ACCOUNT)
      yield chain.deploy(account, code, abi)
      const data = Uint8Array.from({ length: 32 }, (_, i) => round + i)
      if (what === 'sending') {
        const inline = exampleAction(account, SYSTEM_ACCOUNT, WORK, data)
        yield run(WORK, packOne(packAction, inline))
        continue
      }
      yield run(WORK, data)
      yield run(WORK, data.subarray(1))
      yield run(FAIL, data)
    }
    chain.end()
    yield
  }
}
