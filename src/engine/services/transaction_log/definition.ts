import { defineService } from '../service.ts'
import { TransactionLog } from './transaction_log.ts'

/** A line of the log for each transaction of a development chain. */
export const TRANSACTION_LOG = defineService({
  name: 'transaction_log',
  plugins: [{ name: 'producer', needs: ['chain', 'signature_provider'] }],
  options: [
    {
      name: 'quiet',
      kind: 'switch',
      group: 'Development',
      help: 'Does not log the transactions of a development chain.',
    },
  ],
  settings: (values, { development }) => development && !values.switch('quiet'),
  operations: [],
  needs: [],
  open: async ({ settings: is_on, chain, log }) => {
    if (!is_on) return undefined
    const transactions = new TransactionLog(log)
    transactions.follow(chain.events)
    return transactions
  },
})
