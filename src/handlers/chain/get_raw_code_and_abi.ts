import type { Handlers } from '../types.ts'

export const get_raw_code_and_abi: Handlers['get_raw_code_and_abi'] = (engine, body) =>
  engine.getRawCodeAndAbi(body)
