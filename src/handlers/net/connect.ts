import type { Handlers } from '../types.ts'

/** POST /v1/net/connect: connect to a peer. */
export const connect: Handlers['connect'] = (engine, body) => engine.api.net.connect(body)
