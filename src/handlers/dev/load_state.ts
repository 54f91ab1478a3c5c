import type { Handlers } from '../types.ts'

/** POST /v1/dev/load_state: a saved state takes the place of the chain; answers with the new engine. */
export const load_state: Handlers['load_state'] = async (engine, body) => {
  await engine.api.dev.loadState(body)
  return engine.api.dev.getControls()
}
