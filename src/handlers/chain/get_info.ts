import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_info: state of the chain and of the node. */
export const get_info: Handlers['get_info'] = (engine) => engine.api.chain.getInfo()
