import { defineService } from '../service.ts'
import { MetricsService } from './metrics_service.ts'

/** The metrics of all services and the server in the text format of Prometheus. */
export const METRICS = defineService({
  name: 'metrics',
  plugins: [
    {
      name: 'prometheus',
      needs: ['chain', 'producer', 'http'],
      categories: [{ name: 'prometheus' }],
    },
  ],
  options: [],
  settings: () => undefined,
  operations: [],
  needs: [],
  open: async ({ chain, version, allMetrics }) => {
    return new MetricsService(chain, version, allMetrics)
  },
})
