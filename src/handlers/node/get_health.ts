import type { Handlers } from '../types.ts'

export const get_health: Handlers['get_health'] = (engine) => engine.getHealth()
