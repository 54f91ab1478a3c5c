import type { Handlers } from '../types.ts'

/** POST /v1/dev/set_authority: sets the authority of an account. */
export const set_authority: Handlers['set_authority'] = (engine, body) =>
  engine.api.dev.setAuthority(body)
