import type { Handlers } from '../types.ts'

/** POST /v1/dev/get_controls: how the chain is controlled. */
export const get_controls: Handlers['get_controls'] = (engine) => engine.api.dev.getControls()
