/** The compiled validators in generated/ decide as the contract does. */
import { expect } from 'chai'
import { responseValidators } from '../../generated/response_validators.ts'
import { bodyValidators } from '../../generated/validators.ts'
import type { Validator } from '../../generated/validators.ts'
import { checked, loadRecording, operations, tryJson, validatorFactory } from './support.ts'

const exchanges = ['one/reads', 'one/live', 'retry/exchanges'].flatMap(loadRecording)
const validator = validatorFactory(checked)
const compiled = (table: object, name: string) => (table as { [name: string]: Validator })[name]

/** What a caller is told; where in the schema a finding comes from may differ. */
const told = (errors: readonly { instancePath: string; message?: string }[] | null | undefined) =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)

describe('compiled validators', () => {
  for (const { name, path, bodySchema, responseSchema } of operations)
    it(`${name} is judged as the contract judges it`, () => {
      const body = compiled(bodyValidators, name)
      const response = compiled(responseValidators, name)
      const bodyByContract = validator(bodySchema)
      const responseByContract = validator(responseSchema)
      for (const exchange of exchanges.filter((e) => e.path === path)) {
        const asked = tryJson(exchange.body)
        const answered = tryJson(exchange.response)
        expect(body?.(asked), exchange.body ?? '').to.equal(bodyByContract(asked))
        expect(told(body?.errors)).to.deep.equal(told(bodyByContract.errors))
        expect(response?.(answered)).to.equal(responseByContract(answered))
      }
      expect(body?.(null)).to.equal(bodyByContract(null))
      expect(response?.({ field: 1 })).to.equal(responseByContract({ field: 1 }))
    })

  it('report the position and the error', () => {
    expect(bodyValidators.get_account({ account_name: 'UPPER' })).to.equal(false)
    const [error] = bodyValidators.get_account.errors ?? []
    expect(error?.instancePath).to.equal('/account_name')
    expect(error?.message).to.match(/^must match pattern/)
  })
})
