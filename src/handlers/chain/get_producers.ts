import type { Handlers } from '../types.ts'

export const get_producers: Handlers['get_producers'] = (engine, body) => engine.getProducers(body)
