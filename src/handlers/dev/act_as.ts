import type { Handlers } from '../types.ts'

/** POST /v1/dev/act_as: lets anyone act for accounts. */
export const act_as: Handlers['act_as'] = (engine, body) => engine.api.dev.actAs(body)
