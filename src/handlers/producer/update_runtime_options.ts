import type { Handlers } from '../types.ts'

/** POST /v1/producer/update_runtime_options: change options of production. */
export const update_runtime_options: Handlers['update_runtime_options'] = (engine, body) => {
  engine.updateRuntimeOptions(body)
  return { result: 'ok' }
}
