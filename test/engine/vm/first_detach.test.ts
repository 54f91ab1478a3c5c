import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { FROM_SOURCES } from '../../support/from_sources.ts'

const execute = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('detached_process.ts', import.meta.url))

async function output(what: 'before' | 'after'): Promise<string> {
  const argv = ['--allow-natives-syntax', ...FROM_SOURCES, PROGRAM, what]
  return (await execute(process.execPath, argv)).stdout
}

describe('the first buffer that is detached', () => {
  it('makes V8 discard the code that it has optimized for typed arrays', async () => {
    expect(await output('before')).equal('discarded\n')
  }).timeout(60_000)

  it('is one of the runtime, so that memories of contracts that grow do not do this', async () => {
    expect(await output('after')).equal('kept\n')
  }).timeout(60_000)
})
