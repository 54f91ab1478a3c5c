import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_integrity_hash: digest of the state of the chain. */
export const get_integrity_hash: Handlers['get_integrity_hash'] = (engine) =>
  engine.api.producer.getIntegrityHash()
