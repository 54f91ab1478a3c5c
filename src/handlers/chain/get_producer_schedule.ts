import type { Handlers } from '../types.ts'

export const get_producer_schedule: Handlers['get_producer_schedule'] = (engine) =>
  engine.getProducerSchedule()
