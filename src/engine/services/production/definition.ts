import { defineService } from '../service.ts'
import { SUBJECTIVE_BILLING } from '../subjective_billing/definition.ts'
import { TRANSACTION_RETRY } from '../transaction_retry/definition.ts'
import { PRODUCER_OPTIONS } from './options.ts'
import { productionSettings } from './settings.ts'
import { Producer } from './producer.ts'

/** The clock's side of the chain: blocks of this node, submitted transactions and blocks, and what operators
 *  may change while the node runs. */
export const PRODUCTION = defineService({
  name: 'production',
  plugins: [
    { name: 'producer', needs: ['chain', 'signature_provider'] },
    {
      name: 'producer_api',
      needs: ['producer', 'http'],
      categories: [{ name: 'producer_ro' }, { name: 'producer_rw', control: true }],
    },
  ],
  options: PRODUCER_OPTIONS,
  settings: productionSettings,
  operations: [
    'push_transaction',
    'send_transaction',
    'send_transaction2',
    'push_transactions',
    'push_block',
    'compute_transaction',
    'send_read_only_transaction',
    'paused',
    'pause',
    'resume',
    'pause_at_block',
    'get_runtime_options',
    'update_runtime_options',
    'get_greylist',
    'add_greylist_accounts',
    'remove_greylist_accounts',
    'get_whitelist_blacklist',
    'set_whitelist_blacklist',
    'get_supported_protocol_features',
    'schedule_protocol_feature_activations',
    'get_scheduled_protocol_feature_activations',
    'get_account_ram_corrections',
    'get_unapplied_transactions',
  ],
  needs: [TRANSACTION_RETRY, SUBJECTIVE_BILLING],
  open: async ({ settings, chain, rules, clock, log, services }) => {
    const { transaction_retry: retry, subjective_billing: limits } = services
    return new Producer(settings, { chain, rules, clock, log, retry, limits })
  },
})
