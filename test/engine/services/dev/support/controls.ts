/** Requests to the controls of a development chain. */
import { expect } from 'chai'
import type { Answer } from '../../../../support/http.ts'
import type { TestNode } from '../../../../support/test_node.ts'

/** What controls answer. */
export interface Controls {
  production_mode: string
  time: string
  head_block_num: number
  head_block_id: string
  head_block_time: string
  last_irreversible_block_num: number
  checkpoints: { checkpoint: number }[]
  act_as_accounts: string[]
}

/** Asks a control; it must succeed. */
export async function dev<T = Controls>(
  node: TestNode,
  operation: string,
  body: object = {},
): Promise<T> {
  const answer = await node.ask(`/v1/dev/${operation}`, { body })
  expect(answer.status, answer.text).equal(201)
  return answer.body as T
}

/** The name and the messages of an error. */
export function errorOf({ body }: Answer): string {
  const { error } = body as { error: { name: string; details: { message: string }[] } }
  return `${error.name}: ${error.details.map(({ message }) => message).join('; ')}`
}

/** The status and the error of a control that is refused. */
export async function refusalOf(node: TestNode, operation: string, body: object): Promise<string> {
  const answer = await node.ask(`/v1/dev/${operation}`, { body })
  expect(answer.status).least(400)
  return `${answer.status} ${errorOf(answer)}`
}
