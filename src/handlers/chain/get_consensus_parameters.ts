import type { Handlers } from '../types.ts'

export const get_consensus_parameters: Handlers['get_consensus_parameters'] = (engine) =>
  engine.getConsensusParameters()
