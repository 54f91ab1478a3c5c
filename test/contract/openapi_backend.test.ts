/**
 * The contract as openapi-backend reads it: an implementation of OpenAPI beside the code generator's.
 * What both make of the contract is the same.
 */
import { expect } from 'chai'
import { OpenAPIBackend, type Document } from 'openapi-backend'
import { routes } from '../../generated/routes.ts'
import { contract, loadRecording, operations, tryJson, validatorFactory } from './support.ts'

const POST = { method: 'POST', headers: { 'content-type': 'application/json' } }

describe('the contract by openapi-backend', () => {
  const api = new OpenAPIBackend({
    // It resolves references in place.
    definition: structuredClone(contract) as unknown as Document,
    strict: true,
    // What ajv generates is run a few times each, so it is not made faster. The code generator checks the schemas.
    ajvOpts: { strict: false, validateSchema: false, meta: false, code: { optimize: false } },
  })

  // Strict: a document that is not valid OpenAPI 3.0 is an error.
  before(() => api.init())

  it('has a handler for each operation, and no handler without an operation', () => {
    const ids = api.getOperations().map(({ operationId }) => operationId)
    const handled = Object.values(routes).flatMap(({ operationId, methods }) =>
      methods.includes('GET') ? [operationId, `${operationId}_by_get`] : [operationId],
    )
    expect(ids.sort()).deep.equal(handled.sort())
    for (const { operationId, handler } of Object.values(routes)) {
      // Throws for an operation that the document does not have.
      api.registerHandler(operationId, handler as never)
    }
  })

  it('routes each path to the operation of the same name', () => {
    for (const [path, { operationId, methods }] of Object.entries(routes)) {
      expect(api.matchOperation({ ...POST, path })?.operationId, path).equal(operationId)
      const byGet = api.matchOperation({ ...POST, method: 'GET', path })?.operationId
      expect(byGet, path).equal(methods.includes('GET') ? `${operationId}_by_get` : undefined)
    }
  })

  it('accepts and refuses the recorded requests and answers that our validators do', () => {
    const validator = validatorFactory()
    const recorded = ['one/reads', 'one/live', 'retry/exchanges'].flatMap(loadRecording)
    const verdicts = { accepted: 0, refused: 0 }
    for (const { name, path, bodySchema, responseSchema } of operations) {
      const body = validator(bodySchema)
      const response = validator(responseSchema)
      for (const exchange of recorded.filter((each) => each.path === path)) {
        const sent = tryJson(exchange.body)
        const answered = tryJson(exchange.response)
        if (sent !== undefined) {
          const { valid } = api.validateRequest({ ...POST, path, body: sent }, name)
          expect(valid, `${name} ${exchange.body}`).equal(body(sent))
          verdicts[valid ? 'accepted' : 'refused']++
        }
        if (answered !== undefined && exchange.status < 300) {
          const { valid } = api.validateResponse(answered, name, exchange.status)
          expect(valid, `${name} ${exchange.response}`).equal(response(answered))
        }
      }
    }
    expect(verdicts.accepted).greaterThan(1000)
    expect(verdicts.refused).greaterThan(20)
  })

  it('mocks an answer of each operation that our validators accept', () => {
    const validator = validatorFactory()
    for (const { name, successStatus, responseSchema } of operations) {
      const { status, mock } = api.mockResponseForOperation(name, { code: successStatus })
      const response = validator(responseSchema)
      expect(status, name).equal(successStatus)
      expect(response(mock), `${name}: ${JSON.stringify(response.errors)}`).equal(true)
    }
  })
})
