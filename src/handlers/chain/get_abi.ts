import type { Handlers } from '../types.ts'

export const get_abi: Handlers['get_abi'] = (engine, body) => engine.getAbi(body)
