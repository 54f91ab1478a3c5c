import { expect } from 'chai'
import { ChainError } from '../../../../src/engine/errors.ts'
import type { RuleChain } from '../support/rule_chain.ts'

export function failure(f: () => void): ChainError {
  try {
    f()
  } catch (error) {
    if (error instanceof ChainError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

export type RunArguments = Parameters<RuleChain['run']> extends [string, ...infer R] ? R : never

/** Expects that an action is refused: its error and its first message. */
export function expectRefused(
  chain: RuleChain,
  error: string,
  message: string,
  name: string,
  ...rest: RunArguments
): ChainError {
  const refusal = failure(() => chain.run(name, ...rest))
  expect([refusal.errorName, refusal.message]).to.deep.equal([error, message])
  return refusal
}
