import type { Handlers } from '../types.ts'

export const paused: Handlers['paused'] = (engine) => engine.paused()
