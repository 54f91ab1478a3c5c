import type { Handlers } from '../types.ts'

export const get_required_keys: Handlers['get_required_keys'] = (engine, body) =>
  engine.getRequiredKeys(body)
