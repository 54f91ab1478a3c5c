import type { Handlers } from '../types.ts'

export const update_runtime_options: Handlers['update_runtime_options'] = (engine, body) => {
  engine.updateRuntimeOptions(body)
  return { result: 'ok' }
}
