import { STATE_HISTORY } from '../state_history/definition.ts'
import { defineService } from '../service.ts'
import { TRACE_API } from '../trace_api/definition.ts'
import { DatabaseSize } from './database_size.ts'

/** The size of the state in memory, and of the files of the chain and of its histories. */
export const DATABASE_SIZE = defineService({
  name: 'database_size',
  plugins: [{ name: 'db_size_api', needs: ['chain', 'http'], categories: [{ name: 'db_size' }] }],
  options: [],
  settings: () => undefined,
  operations: ['get'],
  needs: [STATE_HISTORY, TRACE_API],
  open: async ({ chain, services }) => {
    const { state_history, trace_api } = services
    const sources = [state_history, trace_api].filter((service) => service !== undefined)
    return new DatabaseSize(chain, () => sources.flatMap((source) => source.files()))
  },
})
