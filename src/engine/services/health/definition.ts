import { PRODUCTION } from '../production/definition.ts'
import { defineService } from '../service.ts'

/** Whether the node does what it is there for. It is on with every plugin. */
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
