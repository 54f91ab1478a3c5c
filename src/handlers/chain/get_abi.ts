import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_abi: ABI of a contract. */
export const get_abi: Handlers['get_abi'] = (engine, body) => engine.api.chain.getAbi(body)
