import type { Handlers } from '../types.ts'

export const get_table_by_scope: Handlers['get_table_by_scope'] = (engine, body) =>
  engine.getTableByScope(body)
