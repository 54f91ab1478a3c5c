import { expect } from 'chai'
import { ChainError } from '../../../src/engine/errors.ts'
import type { ErrorName } from '../../../src/engine/errors.ts'
import { sha256 } from '../../../src/engine/crypto/hash.ts'
import { WasmRuntime } from '../../../src/engine/vm/runtime.ts'
import { FakeContext } from './fake_context.ts'

/** Runs code on a context, compiled anew unless a runtime is given. */
export function run(
  code: Uint8Array,
  ctx: FakeContext = new FakeContext('contract'),
  runtime = new WasmRuntime(),
): FakeContext {
  runtime.apply(sha256(code), () => code, ctx)
  return ctx
}

/** Expects a ChainError of this name whose message contains the text. */
export function expectError(f: () => unknown, name: ErrorName, text: string): void {
  try {
    f()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    expect(error.errorName).equal(name)
    expect(error.message).contain(text)
    return
  }
  expect.fail(`no ${name}`)
}
