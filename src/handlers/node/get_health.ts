import type { Handlers } from '../types.ts'

/** POST /v1/node/get_health: health of the node. */
export const get_health: Handlers['get_health'] = (engine) => engine.api.node.getHealth()
