import { SECOND_US } from '../../protocol/constants.ts'
import { OptionError } from '../../options/option_error.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import { UINT32_MAX, type OptionRow } from '../../options/row.ts'
import { defineService } from '../service.ts'
import { TransactionRetry, type RetryOptions } from './transaction_retry.ts'

const OPTIONS: readonly OptionRow[] = [
  {
    name: 'transaction-retry-max-storage-size-gb',
    kind: 'integer',
    group: 'Chain',
    default: '1',
    min: 0,
    max: 1024,
    value: 'GIB',
    help: 'Memory for submissions that wait until the block of their transaction is final (retry_trx); 0 turns this off.',
  },
  {
    name: 'transaction-retry-interval-sec',
    kind: 'integer',
    group: 'Chain',
    default: '20',
    min: 1,
    max: UINT32_MAX,
    value: 'SEC',
    help: 'Interval at which a transaction of retry_trx is submitted again while it is in no block.',
  },
  {
    name: 'transaction-retry-max-expiration-sec',
    kind: 'integer',
    group: 'Chain',
    default: '120',
    min: 2,
    max: UINT32_MAX,
    value: 'SEC',
    help: 'Maximum time until the expiration of a transaction of retry_trx; must be more than the interval.',
  },
]

const GIB = 2 ** 30

/**
 * The service for submissions that are answered when the block of their transaction is final.
 * Undefined settings turn it off. It precedes production, whose queue refuses a transaction that is
 * in a block: requests that wait for the block get its trace first.
 */
export const TRANSACTION_RETRY = defineService({
  name: 'transaction_retry',
  plugins: [{ name: 'chain', needs: [] }],
  options: OPTIONS,
  settings,
  operations: [],
  needs: [],
  open: async ({ settings, chain, clock }) => {
    if (!settings) return undefined
    const isKnown = ({ id }: { id: Uint8Array }) => chain.isKnownTransaction(id)
    const retry = new TransactionRetry(settings, { clock, isKnown })
    retry.follow(chain.events)
    return retry
  },
})

function settings(values: OptionReader): RetryOptions | undefined {
  const size_gb = values.integer('transaction-retry-max-storage-size-gb')
  if (size_gb === 0) return undefined
  const interval = values.integer('transaction-retry-interval-sec')
  const max_expiration = values.integer('transaction-retry-max-expiration-sec')
  if (max_expiration <= interval) {
    throw new OptionError(
      `transaction-retry-max-expiration-sec ${max_expiration} must be more than ` +
        `transaction-retry-interval-sec ${interval}`,
    )
  }
  return {
    max_bytes: size_gb * GIB,
    interval_us: interval * SECOND_US,
    max_expiration_us: max_expiration * SECOND_US,
  }
}
