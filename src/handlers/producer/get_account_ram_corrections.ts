import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_account_ram_corrections: corrections of the memory of accounts. */
export const get_account_ram_corrections: Handlers['get_account_ram_corrections'] = (
  engine,
  body,
) => engine.api.producer.getAccountRamCorrections(body)
