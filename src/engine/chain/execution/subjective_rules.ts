import { MAXIMUM_ELASTIC_RESOURCE_MULTIPLIER } from '../base/constants.ts'

/**
 * Rules of this node alone, never of consensus; honoured in speculative blocks only.
 * The sets are live: the producer may change them between transactions.
 */
export interface SubjectiveRules {
  actor_whitelist: ReadonlySet<bigint>
  actor_blacklist: ReadonlySet<bigint>
  contract_whitelist: ReadonlySet<bigint>
  contract_blacklist: ReadonlySet<bigint>
  /** `${code}::${action}` in name strings; the code `*` is every one. */
  action_blacklist: ReadonlySet<string>
  /** Packed public keys in lowercase hex. */
  key_blacklist: ReadonlySet<string>
  sender_bypass_whiteblacklist: ReadonlySet<bigint>
  /** Accounts limited to the objective minimum of NET and CPU. */
  resource_greylist: ReadonlySet<bigint>
  /** Elastic multiplier limit, 1 to 1000. */
  greylist_limit: number
  /** Microseconds of grace over what an account can pay; undefined = the default of 31000. */
  subjective_cpu_leeway_us: number | undefined
  /** Percent (10000 = 100%) of the key recovery time that is billed. */
  sig_cpu_bill_pct: number
  /** Limit of the variable part of WebAuthn signatures in speculative blocks; bytes. */
  maximum_variable_signature_length: number
  /** Print functions of contracts reach the trace (spring: contracts-console). */
  contracts_console: boolean
  allow_ram_billing_in_notify: boolean
  disable_all_subjective_mitigations: boolean
  /**
   * Accounts for which anyone may act in blocks of this node, unsigned or with whatever signatures: every
   * permission of theirs counts as satisfied. Only for development chains: nodes that validate fully refuse
   * such blocks. Default: none.
   */
  any_account: ReadonlySet<bigint> | 'all'
}

/** The rules with mutable sets; execution uses the same objects. */
export interface MutableRules extends SubjectiveRules {
  actor_whitelist: Set<bigint>
  actor_blacklist: Set<bigint>
  contract_whitelist: Set<bigint>
  contract_blacklist: Set<bigint>
  action_blacklist: Set<string>
  key_blacklist: Set<string>
  resource_greylist: Set<bigint>
  any_account: Set<bigint> | 'all'
}

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
    any_account: new Set(),
  }
}
