import type { Handlers } from '../types.ts'

/** POST /v1/trace_api/get_transaction_trace: the trace of a transaction. */
export const get_transaction_trace: Handlers['get_transaction_trace'] = (engine, body) =>
  engine.api.trace.getTransactionTrace(body)
