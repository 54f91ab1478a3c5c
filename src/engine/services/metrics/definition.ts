import { defineService } from '../service.ts'

/** What all services and the server count, in the text form that Prometheus reads. */
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
