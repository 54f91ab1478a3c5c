import type { Handlers } from '../types.ts'

/** POST /v1/producer/update_runtime_options: change options of production. */
export const update_runtime_options: Handlers['update_runtime_options'] = (engine, body) => {
  engine.api.producer.updateRuntimeOptions(body)
  return { result: 'ok' }
}
