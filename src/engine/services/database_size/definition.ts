import { defineService } from '../service.ts'
import { getDatabaseSize } from './database_size.ts'

/** The size of the state in memory. */
export const DATABASE_SIZE = defineService({
  name: 'database_size',
  plugins: [{ name: 'db_size_api', needs: ['chain', 'http'], categories: [{ name: 'db_size' }] }],
  options: [],
  settings: () => undefined,
  operations: ['get'],
  needs: [],
  open: async ({ chain }) => {
    return { get: (free_bytes: number) => getDatabaseSize(chain.db, free_bytes) }
  },
})
