import type { Answer, Body, Operation, SigningChain } from '../engine/index.ts'
import type { SendingNode } from '../sending/sender.ts'

/** An error that a node answered: the text of the contract or of the node, and the name of the error. */
export class NodeError extends Error {
  /** Such as `eosio_assert_message_exception`. */
  readonly error_name: string
  readonly code: number
  readonly status: number

  /** @internal */
  constructor(status: number, error: { name: string; code: number; text: string }) {
    super(error.text)
    this.name = 'NodeError'
    this.error_name = error.name
    this.code = error.code
    this.status = status
  }
}

interface ErrorBody {
  error?: { name?: string; code?: number; what?: string; details?: { message?: string }[] }
}

/** The operations of a node by HTTP. */
export class HttpNode implements SendingNode {
  private readonly url: string

  /** @param url such as http://127.0.0.1:8888 */
  constructor(url: string) {
    this.url = url
  }

  get_info(): Promise<SigningChain> {
    return this.ask('get_info', {})
  }

  get_raw_abi(body: Body<'get_raw_abi'>): Promise<Answer<'get_raw_abi'>> {
    return this.ask('get_raw_abi', body)
  }

  send_transaction2(body: Body<'send_transaction2'>): Promise<Answer<'send_transaction2'>> {
    return this.ask('send_transaction2', { ...body, return_failure_trace: false })
  }

  /**
   * Asks an operation of the chain group.
   * @throws NodeError
   */
  async ask<Name extends Operation>(operation: Name, body: Body<Name>): Promise<Answer<Name>> {
    const answer = await fetch(`${this.url}/v1/chain/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const json = (await answer.json()) as unknown
    if (answer.ok) return json as Answer<Name>
    const { error = {} } = json as ErrorBody
    const text = error.details?.[0]?.message ?? error.what ?? `HTTP ${answer.status}`
    throw new NodeError(answer.status, { name: error.name ?? '', code: error.code ?? 0, text })
  }
}
