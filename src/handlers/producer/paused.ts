import type { Handlers } from '../types.ts'

/** POST /v1/producer/paused: whether production is paused. */
export const paused: Handlers['paused'] = (engine) => engine.api.producer.paused()
