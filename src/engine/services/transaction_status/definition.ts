import { SECOND_US } from '../../protocol/constants.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import { UINT32_MAX, type OptionRow } from '../../options/row.ts'
import { defineService } from '../service.ts'
import { TransactionStatusTracker, type TransactionStatusOptions } from './tracker.ts'

const OPTIONS: readonly OptionRow[] = [
  {
    name: 'transaction-finality-status-max-storage-size-gb',
    kind: 'integer',
    group: 'Chain',
    default: '1',
    min: 0,
    max: 1024,
    value: 'GIB',
    help: 'Memory for the status of transactions (get_transaction_status); 0 turns the feature off.',
  },
  {
    name: 'transaction-finality-status-success-duration-sec',
    kind: 'integer',
    group: 'Chain',
    default: '180',
    min: 1,
    max: UINT32_MAX,
    value: 'SEC',
    help: 'How long the status of a transaction in a block is remembered, from when the transaction was first seen.',
  },
  {
    name: 'transaction-finality-status-failure-duration-sec',
    kind: 'integer',
    group: 'Chain',
    default: '180',
    min: 1,
    max: UINT32_MAX,
    value: 'SEC',
    help: 'How long the status of a transaction in no block is remembered, from when the transaction was first seen.',
  },
]

const GIB = 2 ** 30

/**
 * The service that tracks the status of transactions which this node executed or saw in a block.
 * Undefined settings turn it off.
 */
export const TRANSACTION_STATUS = defineService({
  name: 'transaction_status',
  plugins: [{ name: 'chain', needs: [] }],
  options: OPTIONS,
  settings,
  operations: ['get_transaction_status'],
  needs: [],
  open: async ({ settings, chain, clock }) => {
    if (!settings) return undefined
    const tracker = new TransactionStatusTracker(settings, clock)
    tracker.follow(chain.events)
    return tracker
  },
})

function settings(values: OptionReader): TransactionStatusOptions | undefined {
  const size_gb = values.integer('transaction-finality-status-max-storage-size-gb')
  if (size_gb === 0) return undefined
  const seconds = (name: string) =>
    values.integer(`transaction-finality-status-${name}-duration-sec`) * SECOND_US
  return {
    max_bytes: size_gb * GIB,
    success_duration_us: seconds('success'),
    failure_duration_us: seconds('failure'),
  }
}
