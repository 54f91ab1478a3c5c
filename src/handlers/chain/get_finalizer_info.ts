import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_finalizer_info: finalizer policies and last votes. */
export const get_finalizer_info: Handlers['get_finalizer_info'] = (engine) =>
  engine.api.chain.getFinalizerInfo()
