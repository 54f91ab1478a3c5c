import type {
  ActionDigests,
  BlockContext,
  BlockReport,
} from '../../engine/chain/execution/block_context.ts'
import type { BlockProposals } from '../../engine/chain/headers/proposals.ts'
import type { TransactionMetadata } from '../../engine/chain/base/transaction_metadata.ts'
import { defaultRules } from '../../engine/chain/execution/subjective_rules.ts'
import type { TransactionReceipt } from '../../engine/protocol/block.ts'
import type { BuiltinFeatureName } from '../../engine/protocol/features.ts'
import { toHex } from '../../engine/protocol/hex.ts'
import type { Database } from '../../engine/state/database.ts'
import { FEATURES, newState } from './new_state.ts'
import { TracedRuntime } from './traced_runtime.ts'

/** What tests set of the block in which their transactions run. */
export interface BlockSettings {
  /** Microseconds since 1970. */
  readonly time_us: number
  readonly block_num: number
  /** Digests in lowercase hex of the features that contracts see as active. */
  readonly protocolFeatures: readonly string[]
}

const NO_ID = new Uint8Array(32)
/** Usage is counted in one slot, so that it never goes back with the time of the test. */
const SLOT = 1

/** Codes are compiled once for all blockchains of a process. */
const runtime = new TracedRuntime()
const rules = { ...defaultRules(), contracts_console: true }

/**
 * The block in which all transactions of a test run. It is never finished, so its time and its number
 * may be anything: 1970, which is before the first block that a chain can have, or earlier than
 * before.
 */
export class EmulatedBlock implements BlockContext {
  readonly db: Database = newState()
  readonly runtime = runtime
  readonly features = FEATURES
  readonly chain_id = NO_ID
  readonly rules = rules
  readonly slot = SLOT
  readonly head_id = NO_ID
  readonly head_header = new Uint8Array(0)
  readonly producer_block_id = undefined
  readonly status = 'incomplete'
  readonly speculative = true
  readonly light_validation = false
  checks_required = false
  readonly keep_ephemeral = false
  readonly waits = undefined
  readonly receipts: TransactionReceipt[] = []
  readonly receipt_digests = undefined
  readonly action_digests: ActionDigests = { legacy: undefined, savanna: undefined }
  readonly trx_metas: TransactionMetadata[] = []
  readonly proposals: BlockProposals = {
    proposed_schedule: undefined,
    proposed_finalizer_policy: undefined,
  }
  readonly report: BlockReport = { total_net_usage: 0, total_cpu_usage_us: 0, total_elapsed_us: 0 }
  private readonly settings: BlockSettings

  constructor(settings: BlockSettings) {
    this.settings = settings
  }

  get block_num(): number {
    return this.settings.block_num
  }

  get block_time_us(): number {
    return this.settings.time_us
  }

  isActivated(_feature: BuiltinFeatureName): boolean {
    return true
  }

  isFeatureActivated(digest: Uint8Array): boolean {
    return this.settings.protocolFeatures.includes(toHex(digest))
  }

  activeProducers(): bigint[] {
    return []
  }

  legacySchedules(): undefined {
    return undefined
  }

  clock(): number {
    return performance.now() * 1000
  }
}
