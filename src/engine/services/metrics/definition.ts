import { defineService } from '../service.ts'

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
    const { MetricsService } = await import('./metrics_service.ts')
    return new MetricsService(chain, version, allMetrics)
  },
})
