import type { Handlers } from '../types.ts'

export const get_account: Handlers['get_account'] = (engine, body) => engine.getAccount(body)
