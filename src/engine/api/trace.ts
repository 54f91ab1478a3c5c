/** The operations of the trace group (`/v1/trace_api/*`), typed by the contract. */
import type { Answer, Body } from '../contract.ts'
import type { Services } from '../services/list.ts'
import { getBlockTrace, getTransactionTrace } from '../services/trace_api/requests.ts'
import type { ApiContext } from './api_context.ts'

/** One method for each operation of the trace group: plain data in and out. */
export class TraceApi {
  private readonly services: Services

  constructor({ services }: ApiContext) {
    this.services = services
  }

  getBlockTrace = (body: Body<'get_block_trace'>): Promise<Answer<'get_block_trace'>> =>
    getBlockTrace(this.services.trace_api, body)
  getTransactionTrace = (
    body: Body<'get_transaction_trace'>,
  ): Promise<Answer<'get_transaction_trace'>> => getTransactionTrace(this.services.trace_api, body)
}
