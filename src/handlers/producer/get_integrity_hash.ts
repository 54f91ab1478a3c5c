import type { Handlers } from '../types.ts'

export const get_integrity_hash: Handlers['get_integrity_hash'] = (engine) =>
  engine.getIntegrityHash()
