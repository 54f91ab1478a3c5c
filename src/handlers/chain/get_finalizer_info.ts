import type { Handlers } from '../types.ts'

export const get_finalizer_info: Handlers['get_finalizer_info'] = (engine) =>
  engine.getFinalizerInfo()
