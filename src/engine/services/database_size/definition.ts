import { defineService } from '../service.ts'

/** The size of the state in memory. */
export const DATABASE_SIZE = defineService({
  name: 'database_size',
  plugins: [{ name: 'db_size_api', needs: ['chain', 'http'], categories: [{ name: 'db_size' }] }],
  options: [],
  settings: () => undefined,
  operations: ['get'],
  needs: [],
  open: async ({ chain }) => {
    const { getDatabaseSize } = await import('./database_size.ts')
    return { get: (free_bytes: number) => getDatabaseSize(chain.db, free_bytes) }
  },
})
