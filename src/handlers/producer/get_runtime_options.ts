import type { Handlers } from '../types.ts'

export const get_runtime_options: Handlers['get_runtime_options'] = (engine) =>
  engine.getRuntimeOptions()
