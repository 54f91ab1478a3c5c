import { defineService } from '../service.ts'
import { AuthorizerIndex } from './authorizer_index.ts'

/** Accounts by who may act for them. Settings of false turn it off. */
export const ACCOUNT_QUERIES = defineService({
  name: 'account_queries',
  plugins: [{ name: 'chain', needs: [] }],
  options: [
    {
      name: 'enable-account-queries',
      kind: 'bool',
      group: 'Chain',
      default: 'true',
      help: 'Maintains the index for get_accounts_by_authorizers, which finds accounts by keys and accounts in their permissions.',
    },
  ],
  settings: (values) => values.bool('enable-account-queries'),
  operations: ['get_accounts_by_authorizers'],
  needs: [],
  open: async ({ settings, chain }) => {
    if (!settings) return undefined
    return new AuthorizerIndex(chain.db)
  },
})
