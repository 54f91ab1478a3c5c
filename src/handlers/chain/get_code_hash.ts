import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_code_hash: digest of the code of a contract. */
export const get_code_hash: Handlers['get_code_hash'] = (engine, body) =>
  engine.api.chain.getCodeHash(body)
