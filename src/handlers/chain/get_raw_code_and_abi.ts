import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_raw_code_and_abi: code and ABI of a contract in base64. */
export const get_raw_code_and_abi: Handlers['get_raw_code_and_abi'] = (engine, body) =>
  engine.api.chain.getRawCodeAndAbi(body)
