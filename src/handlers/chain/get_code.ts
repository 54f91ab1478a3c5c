import type { Handlers } from '../types.ts'

export const get_code: Handlers['get_code'] = (engine, body) => engine.getCode(body)
