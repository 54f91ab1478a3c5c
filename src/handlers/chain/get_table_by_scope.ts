import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_table_by_scope: tables of a contract by scope. */
export const get_table_by_scope: Handlers['get_table_by_scope'] = (engine, body) =>
  engine.api.chain.getTableByScope(body)
