import type { Handlers } from '../types.ts'

export const get_raw_abi: Handlers['get_raw_abi'] = (engine, body) => engine.getRawAbi(body)
