import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { FROM_SOURCES } from '../../support/from_sources.ts'

describe('the check of the stack', () => {
  const check = (...options: string[]): string => {
    const code =
      "import { isStackDeepEnough } from './src/engine/vm/stack_check.ts'; console.log(isStackDeepEnough())"
    const args = [...options, ...FROM_SOURCES, '--input-type=module', '-e', code]
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()
  }

  it('distinguishes a small stack from one that is large enough for every contract', () => {
    expect(check('--stack-size=500')).equal('false')
    expect(check('--stack-size=3900')).equal('true')
  })
})
