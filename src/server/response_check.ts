import { plainError, HttpError } from './error_response.ts'

/** Checks an answer against the contract. The validators are loaded when the first one is asked for:
 *  most nodes never need them.
 *  @throws HttpError 500 that names the violation */
export async function checkResponse(operationId: string, answer: unknown): Promise<void> {
  const { responseValidators } = await import('../../generated/response_validators.ts')
  const validate = responseValidators[operationId as keyof typeof responseValidators]
  // What is checked is what goes out: absent fields and undefined ones are the same in JSON.
  if (validate(JSON.parse(JSON.stringify(answer)))) return
  const error = validate.errors?.[0]
  const place = error ? `${error.instancePath} ${error.message}` : 'it does not fit'
  const message = `the answer of ${operationId} breaks the contract: ${place}`
  throw new HttpError(500, plainError(500, 'Internal Service Error', message))
}
