/**
 * Checks answers against the contract. The validators are loaded at the first use, because most
 * nodes never need them.
 */
import type { Validator } from '../../generated/validators.ts'
import type { ErrorBody } from './error_response.ts'

/** An answer that is not as the contract describes it: a fault of this program. */
export class ContractViolation extends Error {}

/** @throws ContractViolation that names the place in the answer */
export async function checkResponse(operationId: string, answer: unknown): Promise<void> {
  const { responseValidators } = await load()
  expectValid(responseValidators[operationId as Checked], answer, operationId)
}

/**
 * The same for an error: its status must be declared for the operation, and its body must have the
 * form of errors.
 * @param operationId undefined for a path without an operation
 * @throws ContractViolation
 */
export async function checkFailure(
  operationId: string | undefined,
  status: number,
  body: ErrorBody,
): Promise<void> {
  const { responseStatuses, responseValidators } = await load()
  const name = operationId ?? 'an unknown path'
  if (operationId !== undefined && !responseStatuses[operationId]!.includes(status)) {
    throw new ContractViolation(`${name} does not answer ${status}: ${body.message}`)
  }
  expectValid(responseValidators.Error, body, name)
}

type Checked = keyof Awaited<ReturnType<typeof load>>['responseValidators']

const load = () => import('../../generated/response_validators.ts')

function expectValid(validate: Validator, answer: unknown, name: string): void {
  // The sent text is checked: absent fields and undefined ones are the same in JSON.
  if (validate(JSON.parse(JSON.stringify(answer)))) return
  const error = validate.errors?.[0]
  const place = error ? `${error.instancePath} ${error.message}` : 'it does not fit'
  throw new ContractViolation(`the answer of ${name} breaks the contract: ${place}`)
}
