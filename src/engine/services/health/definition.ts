import { PRODUCTION } from '../production/definition.ts'
import { defineService } from '../service.ts'

/** The health of the node. It is on with every plugin. */
export const HEALTH = defineService({
  name: 'health',
  plugins: [],
  options: [],
  settings: () => undefined,
  operations: ['get_health'],
  needs: [PRODUCTION],
  open: async ({ chain, clock, services }) => {
    const { health } = await import('./health.ts')
    return { get: () => health(services.production, chain, clock) }
  },
})
