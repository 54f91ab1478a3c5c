import type { Handlers } from '../types.ts'

/** POST /v1/net/status: one connection. */
export const status: Handlers['status'] = (engine, body) => engine.api.net.status(body)
