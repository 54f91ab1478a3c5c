import type { Handlers } from '../types.ts'

/** POST /v1/net/disconnect: end the connection to a peer. */
export const disconnect: Handlers['disconnect'] = (engine, body) => engine.api.net.disconnect(body)
