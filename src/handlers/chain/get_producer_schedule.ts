import type { Handlers } from '../types.ts'

/** POST /v1/chain/get_producer_schedule: producer schedules. */
export const get_producer_schedule: Handlers['get_producer_schedule'] = (engine) =>
  engine.api.chain.getProducerSchedule()
