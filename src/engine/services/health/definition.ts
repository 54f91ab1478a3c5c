import { PRODUCTION } from '../production/definition.ts'
import { defineService } from '../service.ts'
import { health } from './health.ts'

/** The health of the node. It is on with every plugin. */
export const HEALTH = defineService({
  name: 'health',
  plugins: [],
  options: [],
  settings: () => undefined,
  operations: ['get_health'],
  needs: [PRODUCTION],
  open: async ({ chain, clock, services }) => {
    return { get: () => health(services.production, chain, clock) }
  },
})
