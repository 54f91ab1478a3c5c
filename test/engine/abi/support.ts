import { expect } from 'chai'
import { abiFromJson } from '../../../src/engine/abi/abi_json.ts'
import { compileAbi } from '../../../src/engine/abi/compiled_abi.ts'
import type { CompiledAbi } from '../../../src/engine/abi/compiled_abi.ts'
import { ChainError } from '../../../src/engine/errors.ts'
import type { ErrorName } from '../../../src/engine/errors.ts'

/** A compiled ABI from the parts that a test cares about. */
export function abi(parts: Record<string, unknown>): CompiledAbi {
  return compileAbi(abiFromJson({ version: 'eosio::abi/1.1', ...parts }))
}

/** A struct of the ABI, with its fields as `name: type`. */
export function struct(name: string, fields: Record<string, string>, base = ''): unknown {
  return {
    name,
    base,
    fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
  }
}

/** Expects a ChainError of this name whose message is or matches this. */
export function expectError(f: () => unknown, name: ErrorName, message?: string | RegExp): void {
  let caught: unknown
  try {
    f()
  } catch (error) {
    caught = error
  }
  expect(caught).to.be.instanceOf(ChainError)
  const { errorName, details } = caught as ChainError
  expect(errorName).to.equal(name)
  if (typeof message === 'string') expect(details[0]!.message).to.equal(message)
  if (message instanceof RegExp) expect(details[0]!.message).to.match(message)
}
