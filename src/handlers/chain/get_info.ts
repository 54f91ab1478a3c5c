import type { Handlers } from '../types.ts'

export const get_info: Handlers['get_info'] = (engine) => engine.getInfo()
