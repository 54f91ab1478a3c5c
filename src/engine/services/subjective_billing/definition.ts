import type { OptionReader } from '../../options/option_reader.ts'
import { namesOf } from '../../options/option_text.ts'
import { UINT32_MAX, type OptionRow } from '../../options/row.ts'
import { nameFromString } from '../../protocol/name.ts'
import { defineService } from '../service.ts'
import type { AccountFailureOptions } from './account_failures.ts'
import type { SubjectiveBillingOptions } from './subjective_billing.ts'
import { SubjectiveLimits } from './subjective_limits.ts'

const OPTIONS: readonly OptionRow[] = [
  {
    name: 'subjective-account-max-failures',
    kind: 'integer',
    group: 'Producer',
    default: '3',
    min: 1,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'Number of failed transactions of an account in a window of blocks after which its further transactions are refused in that window.',
  },
  {
    name: 'subjective-account-max-failures-window-size',
    kind: 'integer',
    group: 'Producer',
    default: '1',
    min: 1,
    max: UINT32_MAX,
    value: 'NUM',
    help: 'Number of blocks in the window of subjective-account-max-failures.',
  },
  {
    name: 'subjective-account-decay-time-minutes',
    kind: 'integer',
    group: 'Producer',
    default: '1440',
    min: 1,
    max: 10000000,
    value: 'MIN',
    help: 'Time after which an account is no longer charged for a failed transaction.',
  },
  {
    name: 'disable-subjective-account-billing',
    kind: 'list',
    parse: nameFromString,
    group: 'Producer',
    value: 'NAME',
    help: 'Accounts that are not charged for failed transactions.',
  },
  {
    name: 'disable-subjective-api-billing',
    kind: 'bool',
    group: 'Producer',
    default: 'true',
    help: 'When on, failed transactions of clients are not charged. When off, their CPU time counts for their account on this node, and accounts with many failures are refused.',
  },
  {
    name: 'disable-subjective-p2p-billing',
    kind: 'bool',
    group: 'Producer',
    default: 'true',
    help: 'When on, failed transactions that no client of this node submitted, such as those of a discarded block, are not charged.',
  },
]

/** CPU time that this node charges accounts for work that no block bills, and refusals of accounts whose
 *  transactions fail again and again. */
export const SUBJECTIVE_BILLING = defineService({
  name: 'subjective_billing',
  plugins: [{ name: 'producer', needs: ['chain', 'signature_provider'] }],
  options: OPTIONS,
  settings,
  operations: [],
  needs: [],
  open: async ({ settings, chain, clock }) => {
    const limits = new SubjectiveLimits(settings, clock)
    limits.follow(chain.events)
    return limits
  },
})

/** The settings of subjective billing and its limits. */
export interface SubjectiveSettings {
  billing: SubjectiveBillingOptions
  failures: AccountFailureOptions
}

function settings(values: OptionReader): SubjectiveSettings {
  return {
    billing: {
      bill_api: !values.bool('disable-subjective-api-billing'),
      bill_p2p: !values.bool('disable-subjective-p2p-billing'),
      disabled_accounts: namesOf(values, 'disable-subjective-account-billing'),
      decay_time_minutes: values.integer('subjective-account-decay-time-minutes'),
    },
    failures: {
      max_failures: values.integer('subjective-account-max-failures'),
      window_blocks: values.integer('subjective-account-max-failures-window-size'),
    },
  }
}
