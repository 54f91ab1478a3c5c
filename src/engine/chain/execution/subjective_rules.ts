import type { SubjectiveRules } from './block_context.ts'
import { MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER } from '../base/constants.ts'

/** Half of the time that key recovery takes is billed. spring: config.hpp default_sig_cpu_bill_pct */
const DEFAULT_SIG_CPU_BILL_PCT = 5_000
/** Bytes. spring: config.hpp max_variable_sig_size */
const DEFAULT_MAXIMUM_VARIABLE_SIGNATURE_LENGTH = 16 * 1024

/** The reference's defaults: no lists, no greylist. */
export function defaultRules(): SubjectiveRules {
  return {
    actor_whitelist: new Set(),
    actor_blacklist: new Set(),
    contract_whitelist: new Set(),
    contract_blacklist: new Set(),
    action_blacklist: new Set(),
    key_blacklist: new Set(),
    sender_bypass_whiteblacklist: new Set(),
    resource_greylist: new Set(),
    greylist_limit: MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER,
    subjective_cpu_leeway_us: undefined,
    sig_cpu_bill_pct: DEFAULT_SIG_CPU_BILL_PCT,
    maximum_variable_signature_length: DEFAULT_MAXIMUM_VARIABLE_SIGNATURE_LENGTH,
    contracts_console: false,
    allow_ram_billing_in_notify: false,
    disable_all_subjective_mitigations: false,
  }
}
