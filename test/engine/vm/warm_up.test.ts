import { expect } from 'chai'
import { webAssembly } from '../../../src/engine/vm/web_assembly.ts'
import { warmUpCode, warmUpPreparation, warmUpValidation } from '../../../src/engine/vm/warm_up.ts'

describe('warming up', () => {
  it('works on a valid code, in many steps', () => {
    expect(new webAssembly.Module(warmUpCode())).not.equal(undefined)
    expect([...warmUpValidation()].length).equal(80)
    expect([...warmUpPreparation()].length).equal(40)
  })
})
