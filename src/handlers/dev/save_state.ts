import type { Handlers } from '../types.ts'

/** POST /v1/dev/save_state: saves the chain to a file. */
export const save_state: Handlers['save_state'] = (engine, body) => engine.api.dev.saveState(body)
