import type { Handlers } from '../types.ts'

/** POST /v1/producer/get_greylist: greylist. */
export const get_greylist: Handlers['get_greylist'] = (engine) => engine.api.producer.getGreylist()
