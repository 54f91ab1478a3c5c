import type { Handlers } from '../types.ts'

/** POST /v1/db_size/get: size of the state. */
export const get: Handlers['get'] = (engine) => engine.api.node.getDatabaseSize()
