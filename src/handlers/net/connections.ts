import type { Handlers } from '../types.ts'

/** POST /v1/net/connections: all connections. */
export const connections: Handlers['connections'] = (engine) => engine.api.net.connections()
