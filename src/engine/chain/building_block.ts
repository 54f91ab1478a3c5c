import type { Session } from '../state/session.ts'
import type { Database } from '../state/database.ts'
import type { TransactionReceipt } from '../protocol/block.ts'
import { packBlockHeader } from '../protocol/block.ts'
import { toHex } from '../protocol/hex.ts'
import type { ProducerAuthoritySchedule } from '../protocol/schedule.ts'
import { slotToUs } from '../protocol/time.ts'
import { packOne } from '../protocol/writer.ts'
import type { BuiltinFeatureName } from '../vm/host_context.ts'
import type { WasmRuntime } from '../vm/runtime.ts'
import type {
  ActionDigests,
  BlockContext,
  BlockProposals,
  BlockReport,
  BlockStatus,
  LegacySchedules,
  SubjectiveRules,
} from './block_context.ts'
import { nextHeaderState } from './block_header_state.ts'
import type { PendingHeaderState } from './block_header_state.ts'
import type { StartBlock } from './chain_options.ts'
import type { ChainParts } from './chain_parts.ts'
import { observe } from './observe.ts'
import type { FeatureSet } from './features.ts'
import type { TransactionMetadata } from './transaction_metadata.ts'
import type { TransactionTrace } from './trace.ts'

/** The block in work: header state so far, what was executed in it, and its database session. */
export class BuildingBlock implements BlockContext {
  readonly db: Database
  readonly runtime: WasmRuntime
  readonly chain_id: Uint8Array
  readonly rules: SubjectiveRules
  readonly header_state: PendingHeaderState
  /** The block's database session; nested sessions of transactions end before it does. */
  readonly session: Session
  readonly features: FeatureSet
  /** Digests of the features that the block activates, in order. */
  readonly new_features: readonly Uint8Array[]
  /** Schedule that becomes pending with this block. */
  new_pending_schedule: ProducerAuthoritySchedule | undefined

  readonly head_id: Uint8Array
  readonly head_header: Uint8Array
  readonly producer_block_id: Uint8Array | undefined
  readonly status: BlockStatus
  readonly speculative: boolean
  readonly light_validation: boolean
  checks_required = false
  readonly keep_ephemeral: boolean

  readonly receipts: TransactionReceipt[] = []
  readonly receipt_digests: Uint8Array[] | undefined
  readonly action_digests: ActionDigests = { legacy: [], savanna: undefined }
  readonly trx_metas: TransactionMetadata[] = []
  readonly proposals: BlockProposals = {
    proposed_schedule: undefined,
    proposed_finalizer_policy: undefined,
  }
  readonly clock: () => number
  readonly report: BlockReport = { total_net_usage: 0, total_cpu_usage_us: 0, total_elapsed_us: 0 }

  private readonly chain: ChainParts
  private readonly activated: Set<string>

  constructor(chain: ChainParts, session: Session, args: StartBlock) {
    const { head } = chain
    this.chain = chain
    this.session = session
    this.db = chain.db
    this.runtime = chain.runtime
    this.chain_id = chain.chain_id
    this.rules = chain.rules
    this.clock = chain.now
    this.header_state = nextHeaderState(head.header_state, args.slot, args.confirmed)
    this.features = chain.features
    this.new_features = args.features ?? []
    this.head_id = head.id
    this.head_header = packOne(packBlockHeader, head.header)
    this.producer_block_id = args.producer_block_id
    this.status = args.status
    this.speculative = args.status === 'incomplete' || args.status === 'ephemeral'
    this.light_validation = lightValidation(chain, args.status, this.header_state.producer)
    this.keep_ephemeral = chain.options.read_mode === 'speculative'
    this.receipt_digests = args.producer_block_id === undefined ? [] : undefined
    this.activated = new Set(head.header_state.activated_protocol_features.map(toHex))
  }

  get block_num(): number {
    return this.header_state.block_num
  }
  get slot(): number {
    return this.header_state.timestamp
  }
  get block_time_us(): number {
    return slotToUs(this.header_state.timestamp)
  }
  get producer(): bigint {
    return this.header_state.producer
  }

  isActivated(feature: BuiltinFeatureName): boolean {
    return this.activated.has(this.features.digestHex(feature))
  }

  isFeatureActivated(digest: Uint8Array): boolean {
    return this.activated.has(toHex(digest))
  }

  /** Makes a feature of {@link new_features} active for the rest of the block. */
  activate(digest: Uint8Array): void {
    this.activated.add(toHex(digest))
  }

  activeProducers(): bigint[] {
    return this.header_state.active_schedule.producers.map((p) => p.producer_name)
  }

  legacySchedules(): LegacySchedules {
    const { active_schedule, prev_pending_schedule } = this.header_state
    return {
      active: active_schedule,
      pending: this.new_pending_schedule ?? prev_pending_schedule.schedule,
      savanna_transition: false,
    }
  }

  onAppliedTransaction(trace: TransactionTrace, meta: TransactionMetadata): void {
    observe(this.chain, this.chain.events.onAppliedTransaction, trace, meta)
  }
}

/** Whether checks that the producer made may be left out. spring: light_validation_allowed */
function lightValidation(chain: ChainParts, status: BlockStatus, producer: bigint): boolean {
  const { force_all_checks, validation_mode, trusted_producers } = chain.options
  if (status === 'irreversible' || status === 'validated') return !force_all_checks
  if (status !== 'complete') return false
  return validation_mode === 'light' || (trusted_producers ?? []).includes(producer)
}
