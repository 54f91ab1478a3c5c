import type { Handlers } from '../types.ts'

export const get_table_rows: Handlers['get_table_rows'] = (engine, body) =>
  engine.getTableRows(body)
