import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_runtime_options: options of production. */
export const get_runtime_options: Handlers['get_runtime_options'] = (engine) =>
  engine.api.producer.getRuntimeOptions()
