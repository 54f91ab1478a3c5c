import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_code: code of a contract as WebAssembly. */
export const get_code: Handlers['get_code'] = (engine, body) => engine.api.chain.getCode(body)
