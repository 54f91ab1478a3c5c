import type { Handlers } from '../types.ts'

export const get_code_hash: Handlers['get_code_hash'] = (engine, body) => engine.getCodeHash(body)
