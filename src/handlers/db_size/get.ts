import type { Handlers } from '../types.ts'

export const get: Handlers['get'] = (engine) => engine.getDatabaseSize()
