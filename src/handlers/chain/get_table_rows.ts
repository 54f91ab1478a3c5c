import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_table_rows: rows of a table of a contract. */
export const get_table_rows: Handlers['get_table_rows'] = (engine, body) =>
  engine.api.chain.getTableRows(body)
