import type { Handlers } from '../types.ts'

export const get_account_ram_corrections: Handlers['get_account_ram_corrections'] = (
  engine,
  body,
) => engine.getAccountRamCorrections(body)
