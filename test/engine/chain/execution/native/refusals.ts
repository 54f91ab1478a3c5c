import { expect } from 'chai'
import type { ChainError } from '../../../../../src/engine/errors.ts'
import { refusalOf } from '../../../refusal.ts'
import type { RuleChain } from '../../support/rule_chain.ts'

export type RunArguments = Parameters<RuleChain['run']> extends [string, ...infer R] ? R : never

/** Expects that an action is refused: its error and its first message. */
export function expectRefused(
  chain: RuleChain,
  error: string,
  message: string,
  name: string,
  ...rest: RunArguments
): ChainError {
  const refusal = refusalOf(() => chain.run(name, ...rest))
  expect([refusal.errorName, refusal.message]).to.deep.equal([error, message])
  return refusal
}
