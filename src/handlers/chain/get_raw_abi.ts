import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_raw_abi: packed ABI of a contract in base64. */
export const get_raw_abi: Handlers['get_raw_abi'] = (engine, body) =>
  engine.api.chain.getRawAbi(body)
