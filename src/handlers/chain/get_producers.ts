import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_producers: producers and their votes. */
export const get_producers: Handlers['get_producers'] = (engine, body) =>
  engine.api.chain.getProducers(body)
