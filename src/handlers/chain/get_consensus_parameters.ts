import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_consensus_parameters: parameters that the chain is run by. */
export const get_consensus_parameters: Handlers['get_consensus_parameters'] = (engine) =>
  engine.api.chain.getConsensusParameters()
