import assert from 'node:assert'
import { check } from '../../errors.ts'
import type { Session } from '../../state/session.ts'
import type { Database } from '../../state/database.ts'
import type { TransactionReceipt } from '../../protocol/block.ts'
import { packBlockHeader } from '../../protocol/block.ts'
import { toHex } from '../../protocol/hex.ts'
import type { ProducerAuthority, ProducerAuthoritySchedule } from '../../protocol/schedule.ts'
import { slotToUs } from '../../protocol/time.ts'
import { packOne } from '../../protocol/writer.ts'
import type { BuiltinFeatureName } from '../../protocol/features.ts'
import type { WasmRuntime } from '../../vm/runtime.ts'
import type {
  ActionDigests,
  BlockContext,
  BlockReport,
  BlockStatus,
} from '../execution/block_context.ts'
import type { BlockProposals, LegacySchedules } from '../headers/proposals.ts'
import type { SubjectiveRules } from '../execution/subjective_rules.ts'
import { DigestList } from '../../crypto/digest_list.ts'
import type { DigestThread } from '../../crypto/digest_thread.ts'
import type { TreeKind } from '../../crypto/merkle_levels.ts'
import { nextHeaderState, scheduledProducer } from '../headers/legacy/header_state.ts'
import type { HeaderState, PendingHeaderState } from '../headers/legacy/header_state.ts'
import type { BlockState } from '../headers/block_state.ts'
import type { ChainEvents } from '../chain_events.ts'
import type { ChainOptions } from '../chain_options.ts'
import { activatedSet } from '../rules/features/activated_list.ts'
import type { FeatureSet } from '../rules/features.ts'
import type { ProposerPolicy } from '../headers/savanna/policies.ts'
import { proposerPolicyAt } from '../headers/savanna/header_state.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import type { TransactionTrace } from '../base/trace.ts'
import type { WaitMeter } from '../execution/budgets/wait_meter.ts'

/** The parameters of a new pending block. */
export interface StartBlock {
  /** Slot of the block (half seconds since 2000-01-01); must be after the head's. */
  slot: number
  /** Number of blocks that the producer confirms (legacy), 0 to 65535. */
  confirmed: number
  /** Digests of protocol features that this block activates, in order. */
  features?: readonly Uint8Array[]
  status: BlockStatus
  /** When to stop removing expired transactions, in microseconds. Default: never. */
  deadline_us?: number
  /** The block is a proper Savanna block. Default: as the head asks for. */
  savanna?: boolean
  /** The block is of the transition to Savanna. Default: it may be, if the chain is so far. */
  transition?: boolean
  /** Id of the signed block that is being validated; undefined while producing. */
  producer_block_id?: Uint8Array
}

/** The data of a proper Savanna block before its transactions are executed. */
export interface SavannaStart {
  slot: number
  producer: ProducerAuthority
  active_proposer_policy: ProposerPolicy
}

/** The parts of the chain that a pending block needs. */
export interface BlockSurroundings {
  readonly chain_id: Uint8Array
  readonly db: Database
  readonly runtime: WasmRuntime
  readonly features: FeatureSet
  readonly rules: SubjectiveRules
  readonly options: BlockOptions
  readonly events: ChainEvents
  /** Wall clock, microseconds since 1970. */
  readonly now: () => number
  /**
   * Microseconds that this thread has waited for a processor; undefined if the system does not
   * report it.
   */
  readonly waits: WaitMeter | undefined
  /** Hashes the actions of irreversible blocks. */
  readonly digest_thread: Pick<DigestThread, 'newList'> | undefined
  /** The block before. */
  readonly head: BlockState
}

type BlockOptions = Pick<
  ChainOptions,
  'read_mode' | 'force_all_checks' | 'validation_mode' | 'trusted_producers'
>

/**
 * The pending block: its header state so far, the executed transactions, and its database session.
 */
export class BuildingBlock implements BlockContext {
  readonly db: Database
  readonly runtime: WasmRuntime
  readonly chain_id: Uint8Array
  readonly rules: SubjectiveRules
  /** The block before. */
  readonly parent: BlockState
  /** Of a legacy block, or of one of the transition. */
  legacy: PendingHeaderState | undefined
  /** Of a proper Savanna block. */
  readonly savanna: SavannaStart | undefined
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
  readonly action_digests: ActionDigests
  readonly trx_metas: TransactionMetadata[] = []
  /** Executed transactions that are in the block, onblock included. */
  transaction_count = 0
  readonly proposals: BlockProposals = {
    proposed_schedule: undefined,
    proposed_finalizer_policy: undefined,
  }
  readonly clock: () => number
  readonly waits: WaitMeter | undefined
  readonly report: BlockReport = { total_net_usage: 0, total_cpu_usage_us: 0, total_elapsed_us: 0 }

  private readonly chain: BlockSurroundings
  private activated: ReadonlySet<string>

  constructor(chain: BlockSurroundings, session: Session, args: StartBlock) {
    const { head } = chain
    this.chain = chain
    this.session = session
    this.db = chain.db
    this.runtime = chain.runtime
    this.chain_id = chain.chain_id
    this.rules = chain.rules
    this.clock = blockClock(chain, args.status)
    this.waits = chain.waits
    this.parent = head
    const proper = args.savanna ?? head.leads_to_savanna
    this.savanna = proper ? savannaStart(head, args.slot) : undefined
    this.legacy = proper ? undefined : nextHeaderState(legacyOf(head), args.slot, args.confirmed)
    this.features = chain.features
    this.new_features = args.features ?? []
    this.head_id = head.id
    this.head_header = packOne(packBlockHeader, head.header)
    this.producer_block_id = args.producer_block_id
    this.status = args.status
    this.speculative = args.status === 'incomplete' || args.status === 'ephemeral'
    this.light_validation = lightValidation(chain, args.status, this.producer)
    this.keep_ephemeral = chain.options.read_mode === 'speculative'
    this.receipt_digests = args.status === 'incomplete' ? [] : undefined
    this.activated = activatedSet(head.activated_protocol_features)
    this.action_digests = this.newDigests(proper, args.transition ?? this.mayBeTransition())
  }

  /** A block of the transition has both kinds, and the thread makes one list at a time. One that is always discarded
   *  has no header. */
  private newDigests(proper: boolean, transition: boolean): ActionDigests {
    if (this.status === 'ephemeral') return { legacy: undefined, savanna: undefined }
    const thread = this.status === 'irreversible' ? this.chain.digest_thread : undefined
    const newList = (kind: TreeKind): DigestList => thread?.newList(kind) ?? new DigestList()
    if (proper) return { legacy: undefined, savanna: newList('savanna') }
    return { legacy: newList('legacy'), savanna: transition ? new DigestList() : undefined }
  }

  get block_num(): number {
    return this.parent.block_num + 1
  }
  get slot(): number {
    return this.legacy?.timestamp ?? this.savanna!.slot
  }
  get block_time_us(): number {
    return slotToUs(this.slot)
  }
  /** The name of the account that produces the block. */
  get producer(): bigint {
    return this.legacy?.producer ?? this.savanna!.producer.producer_name
  }
  /** The schedule as contracts see it in this block. */
  get active_schedule(): ProducerAuthoritySchedule {
    return this.legacy?.active_schedule ?? this.savanna!.active_proposer_policy.proposer_schedule
  }
  /** The pending schedule; undefined if there is none under Savanna. */
  get pending_schedule(): ProducerAuthoritySchedule | undefined {
    if (this.legacy === undefined) return this.parent.pending_schedule
    return this.new_pending_schedule ?? this.legacy.prev_pending_schedule.schedule
  }

  isActivated(feature: BuiltinFeatureName): boolean {
    return this.activated.has(this.features.digestHex(feature))
  }

  isFeatureActivated(digest: Uint8Array): boolean {
    return this.activated.has(toHex(digest))
  }

  /** Makes a feature of {@link new_features} active for the rest of the block. */
  activate(digest: Uint8Array): void {
    this.activated = new Set(this.activated).add(toHex(digest))
  }

  activeProducers(): bigint[] {
    return this.active_schedule.producers.map((p) => p.producer_name)
  }

  legacySchedules(): LegacySchedules | undefined {
    const { legacy } = this
    if (legacy === undefined) return undefined
    return {
      active: legacy.active_schedule,
      pending: this.new_pending_schedule ?? legacy.prev_pending_schedule.schedule,
      savanna_transition:
        this.parent.savanna !== undefined || this.proposals.proposed_finalizer_policy !== undefined,
    }
  }

  /**
   * Finalizers were proposed. Savanna changes schedules in another way, so a pending legacy change
   * is discarded. spring: libraries/chain/controller.cpp (apply_trx_block_context)
   */
  onFinalizersProposed(): void {
    const { legacy, db } = this
    if (legacy === undefined) return
    const gpo = db.global_property.single()
    if (gpo.proposed_schedule_block_num !== undefined) {
      db.global_property.modify(gpo, (row) => {
        row.proposed_schedule_block_num = undefined
        row.proposed_schedule = { version: 0, producers: [] }
      })
    }
    this.new_pending_schedule = undefined
    const { prev_pending_schedule: prev } = legacy
    const schedule = { version: prev.schedule.version, producers: [] }
    this.legacy = { ...legacy, prev_pending_schedule: { ...prev, schedule } }
  }

  /** Merkle root of the executed actions, in the form of Savanna. */
  savannaActionRoot(): Uint8Array {
    const { savanna } = this.action_digests
    assert(savanna, 'digests of actions in the form of Savanna were not collected')
    return savanna.savannaRoot()
  }

  /** Whether a legacy block in production may become a block of the transition. */
  private mayBeTransition(): boolean {
    if (this.parent.savanna !== undefined) return true
    const digest = this.features.digestHex('SAVANNA')
    return this.activated.has(digest) || this.new_features.some((d) => toHex(d) === digest)
  }

  onAppliedTransaction(trace: TransactionTrace, meta: TransactionMetadata): void {
    if (trace.receipt !== undefined) this.transaction_count++
    this.chain.events.emit('transactionApplied', { trace, meta })
  }
}

function legacyOf(head: BlockState): HeaderState {
  check(head.legacy, 'block_validate_exception', 'a legacy block after a Savanna block')
  return head.legacy
}

function savannaStart(head: BlockState, slot: number): SavannaStart {
  const when = slot === 0 ? head.timestamp + 1 : slot
  const policy = proposerPolicyAt(head.savanna_state, when)
  return {
    slot: when,
    producer: scheduledProducer(policy.proposer_schedule, when),
    active_proposer_policy: policy,
  }
}

/** Whether checks that the producer has made may be skipped. spring: light_validation_allowed */
function lightValidation(chain: BlockSurroundings, status: BlockStatus, producer: bigint): boolean {
  const { force_all_checks, validation_mode, trusted_producers } = chain.options
  if (status === 'irreversible' || status === 'validated') return !force_all_checks
  if (status !== 'complete') return false
  return validation_mode === 'light' || (trusted_producers ?? []).includes(producer)
}

/**
 * The clock of a block's transactions. Transactions of irreversible blocks have no limits of time, so it is read
 * once, unless a listener gets to know how long they took.
 */
function blockClock({ now, events }: BlockSurroundings, status: BlockStatus): () => number {
  if (status !== 'irreversible' || events.has('transactionApplied')) return now
  const time = now()
  return () => time
}
