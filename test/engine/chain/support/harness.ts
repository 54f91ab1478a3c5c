/**
 * A chain in memory without signatures, files or forks: blocks begin and end when a test says so,
 * and time passes when a test lets it. Contracts are functions of the host context, or real WASM
 * when a real runtime is given.
 */
import { DigestList } from '../../../../src/engine/crypto/digest_list.ts'
import { expect } from 'chai'
import type {
  ActionDigests,
  BlockContext,
  BlockReport,
  BlockStatus,
} from '../../../../src/engine/chain/execution/block_context.ts'
import type {
  BlockProposals,
  LegacySchedules,
} from '../../../../src/engine/chain/headers/proposals.ts'
import type { SubjectiveRules } from '../../../../src/engine/chain/execution/subjective_rules.ts'
import type { PushLimits } from '../../../../src/engine/chain/execution/push_limits.ts'
import { activateFeature, FeatureSet } from '../../../../src/engine/chain/rules/features.ts'
import { initializeDatabase } from '../../../../src/engine/chain/rules/genesis.ts'
import { pushOnBlock } from '../../../../src/engine/chain/blocks/onblock.ts'
import { pushTransaction } from '../../../../src/engine/chain/execution/push_transaction.ts'
import {
  processAccountLimitUpdates,
  processBlockUsage,
} from '../../../../src/engine/chain/rules/resource_limits.ts'
import { defaultRules } from '../../../../src/engine/chain/execution/subjective_rules.ts'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'
import { WaitMeter } from '../../../../src/engine/chain/execution/budgets/wait_meter.ts'
import { createMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import type {
  TransactionKind,
  TransactionMetadata,
} from '../../../../src/engine/chain/base/transaction_metadata.ts'
import { sha256 } from '../../../../src/engine/crypto/hash.ts'
import { keyAuthority, packAuthority } from '../../../../src/engine/protocol/authority.ts'
import type { Authority, PermissionLevel } from '../../../../src/engine/protocol/authority.ts'
import type { TransactionReceipt } from '../../../../src/engine/protocol/block.ts'
import { defaultGenesis } from '../../../../src/engine/protocol/genesis.ts'
import type { GenesisState } from '../../../../src/engine/protocol/genesis.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { makePackedTransaction } from '../../../../src/engine/protocol/packed_transaction.ts'
import type { ProducerAuthoritySchedule } from '../../../../src/engine/protocol/schedule.ts'
import { slotToUs, usToSlot } from '../../../../src/engine/protocol/time.ts'
import { refBlockOf, plainTransaction } from '../../../../src/engine/protocol/transaction.ts'
import type { Action, Transaction } from '../../../../src/engine/protocol/transaction.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { createDatabase } from '../../../../src/engine/state/database.ts'
import type { Database } from '../../../../src/engine/state/database.ts'
import type { Session } from '../../../../src/engine/state/session.ts'
import type { HostContext } from '../../../../src/engine/vm/host_context.ts'
import type { BuiltinFeatureName } from '../../../../src/engine/protocol/features.ts'
import type { WasmRuntime } from '../../../../src/engine/vm/runtime.ts'

/** A contract as a function. */
export type Script = (ctx: HostContext) => void

/** Time that stands still until it is told to move. */
export class TestClock {
  now_us: number
  /** Microseconds that every reading takes. */
  step_us = 0
  /** Microseconds for which the thread has waited for a processor. */
  waited_us = 0
  /** Waits before the next readings of the waits, which include them, and after them; microseconds. */
  waits_before_readings_us: number[] = []
  waits_after_readings_us: number[] = []

  constructor(now_us: number) {
    this.now_us = now_us
  }

  read(): number {
    this.now_us += this.step_us
    return this.now_us
  }

  readWaits(): number {
    this.wait(this.waits_before_readings_us.shift())
    const { waited_us } = this
    this.wait(this.waits_after_readings_us.shift())
    return waited_us
  }

  private wait(length_us = 0): void {
    this.now_us += length_us
    this.waited_us += length_us
  }
}

/** Runs scripts in place of WASM; their "code" is any bytes. */
export class ScriptRuntime {
  private readonly scripts = new Map<string, Script>()

  add(code: Uint8Array, script: Script): void {
    this.scripts.set(toHex(sha256(code)), script)
  }

  validate(): void {}

  apply(code_hash: Uint8Array, _getCode: () => Uint8Array, ctx: HostContext): void {
    this.scripts.get(toHex(code_hash))!(ctx)
  }

  prepareAhead(): void {
    // Scripts need no preparation.
  }
}

/** The block in work of a {@link Harness}. */
export class TestBlock implements BlockContext {
  readonly harness: Harness
  readonly session: Session
  readonly status: BlockStatus
  readonly block_num: number
  readonly slot: number
  readonly head_id: Uint8Array
  readonly head_header = new Uint8Array(100)
  light_validation = false
  checks_required = false
  keep_ephemeral = false
  producer_block_id: Uint8Array | undefined
  readonly receipts: TransactionReceipt[] = []
  readonly receipt_digests: Uint8Array[] = []
  readonly action_digests: ActionDigests = { legacy: new DigestList(), savanna: undefined }
  readonly trx_metas: TransactionMetadata[] = []
  readonly proposals: BlockProposals = {
    proposed_schedule: undefined,
    proposed_finalizer_policy: undefined,
  }
  readonly report: BlockReport = { total_net_usage: 0, total_cpu_usage_us: 0, total_elapsed_us: 0 }
  /** Every trace that was announced. */
  readonly announced: TransactionTrace[] = []

  constructor(harness: Harness, status: BlockStatus) {
    this.harness = harness
    this.status = status
    this.block_num = harness.head_num + 1
    this.slot = harness.head_slot + 1
    this.head_id = harness.head_id
    this.session = harness.db.startSession()
  }

  get db(): Database {
    return this.harness.db
  }
  get runtime(): WasmRuntime {
    return this.harness.runtime
  }
  get features(): FeatureSet {
    return this.harness.features
  }
  get rules(): SubjectiveRules {
    return this.harness.rules
  }
  get chain_id(): Uint8Array {
    return this.db.global_property.single().chain_id
  }
  get block_time_us(): number {
    return slotToUs(this.slot)
  }
  get speculative(): boolean {
    return this.status === 'incomplete' || this.status === 'ephemeral'
  }
  isActivated(feature: BuiltinFeatureName): boolean {
    return this.harness.activated.has(this.features.byName(feature).digest_hex)
  }
  isFeatureActivated(digest: Uint8Array): boolean {
    return this.harness.activated.has(toHex(digest))
  }
  activeProducers(): bigint[] {
    return this.harness.schedule.producers.map((producer) => producer.producer_name)
  }
  legacySchedules(): LegacySchedules {
    const pending = { version: 0, producers: [] }
    return { active: this.harness.schedule, pending, savanna_transition: false }
  }
  clock(): number {
    return this.harness.clock.read()
  }
  get waits(): WaitMeter {
    return this.harness.waits
  }
  onAppliedTransaction(trace: TransactionTrace): void {
    this.announced.push(trace)
  }
}

export interface HarnessOptions {
  genesis?: GenesisState
  /** Default: scripts. */
  runtime?: WasmRuntime
  /** Features that are active from the start, in an order that their dependencies allow. */
  features?: readonly BuiltinFeatureName[]
}

/** How a transaction is pushed; what is absent has a harmless default. */
export interface PushOptions {
  kind?: TransactionKind
  /** Keys that signed; default: the key that every account of the harness has. */
  keys?: Uint8Array[]
  limits?: Partial<PushLimits>
  context_free_data?: Uint8Array[]
  signature_cpu_usage_us?: number
}

export class Harness {
  readonly db: Database
  readonly clock: TestClock
  readonly waits = new WaitMeter(() => this.clock.readWaits())
  readonly features = new FeatureSet()
  readonly activated = new Set<string>()
  readonly rules: SubjectiveRules = { ...defaultRules(), contracts_console: true }
  readonly scripts = new ScriptRuntime()
  readonly runtime: WasmRuntime
  /** The key of every account. */
  readonly key: Uint8Array
  schedule: ProducerAuthoritySchedule
  head_num = 1
  head_slot: number
  head_id = blockIdOf(1)
  block: TestBlock
  private nonce = 0

  constructor(options: HarnessOptions = {}) {
    const genesis = options.genesis ?? defaultGenesis()
    this.key = genesis.initial_key
    this.runtime = options.runtime ?? (this.scripts as unknown as WasmRuntime)
    this.head_slot = usToSlot(genesis.initial_timestamp)
    this.clock = new TestClock(genesis.initial_timestamp)
    const keys = [{ key: this.key, weight: 1 }]
    const authority = { threshold: 1, keys }
    this.schedule = {
      version: 0,
      producers: [{ producer_name: N('eosio'), authority: [0, authority] }],
    }
    this.db = createDatabase()
    initializeDatabase(this.db, genesis, this.head_id)
    this.block = new TestBlock(this, 'incomplete')
    for (const feature of options.features ?? []) this.activate(feature)
  }

  /** Activates a feature within the block in work. */
  activate(name: BuiltinFeatureName): void {
    const feature = this.features.byName(name)
    activateFeature(this.block, feature)
    this.activated.add(feature.digest_hex)
  }

  /** Ends the block in work and begins the next one, `skip` slots later; runs onblock if asked. */
  nextBlock(options: { status?: BlockStatus; skip?: number; onblock?: boolean } = {}): TestBlock {
    const { block, db } = this
    processAccountLimitUpdates(db)
    processBlockUsage(db, block.block_num)
    this.head_num = block.block_num
    this.head_id = blockIdOf(block.block_num)
    this.head_slot = block.slot + (options.skip ?? 0)
    db.block_summary.modify(db.block_summary.getById(block.block_num & 0xffff), (row) => {
      row.block_id = this.head_id
    })
    block.session.squash()
    this.block = new TestBlock(this, options.status ?? 'incomplete')
    if (options.onblock) pushOnBlock(this.block)
    return this.block
  }

  /** A transaction that refers to the head and is unlike every other. */
  transaction(actions: Action[], fields: Partial<Transaction> = {}): Transaction {
    return {
      expiration: Math.floor(this.block.block_time_us / 1_000_000) + 60 + (this.nonce++ % 3000),
      ...refBlockOf(this.head_id),
      ...plainTransaction(actions),
      ...fields,
    }
  }

  metadata(trx: Transaction, options: PushOptions = {}): TransactionMetadata {
    return createMetadata(
      makePackedTransaction(trx, [], options.context_free_data),
      options.kind ?? 'input',
      {
        keys: options.keys ?? [this.key],
        cpu_usage_us: options.signature_cpu_usage_us ?? 0,
      },
    )
  }

  /** Pushes actions, or a transaction, into the block in work. */
  push(what: Action[] | Transaction, options: PushOptions = {}): TransactionTrace {
    const trx = Array.isArray(what) ? this.transaction(what) : what
    return pushTransaction(this.block, this.metadata(trx, options), pushLimits(options.limits))
  }

  /** The same, and it must succeed. */
  ok(what: Action[] | Transaction, options: PushOptions = {}): TransactionTrace {
    const trace = this.push(what, options)
    if (trace.except) throw trace.except
    return trace
  }

  /** The same, and it must fail with this error. */
  fails(what: Action[] | Transaction, name: string, options: PushOptions = {}): TransactionTrace {
    const trace = this.push(what, options)
    expect(trace.except?.errorName, trace.except?.message).to.equal(name)
    return trace
  }

  createAccount(...names: string[]): void {
    for (const name of names) {
      const w = new Writer()
      w.name(N('eosio'))
      w.name(N(name))
      const authority: Authority = {
        ...keyAuthority(this.key),
        accounts: [{ permission: level(`${name}@eosio.code`), weight: 1 }],
      }
      packAuthority(w, keyAuthority(this.key))
      packAuthority(w, authority)
      this.ok([action('eosio', 'newaccount', 'eosio@active', w.bytes())])
    }
  }

  /** Makes a function the contract of an account. */
  setScript(account: string, script: Script): void {
    const code = Buffer.from(`script ${account} ${this.nonce++}`)
    this.scripts.add(code, script)
    this.setCode(account, code)
  }

  setCode(account: string, code: Uint8Array): void {
    this.ok([setCodeAction(account, code)])
  }

  setAbi(account: string, abi: Uint8Array): void {
    const w = new Writer()
    w.name(N(account))
    w.blob(abi)
    this.ok([action('eosio', 'setabi', `${account}@active`, w.bytes())])
  }

  setPrivileged(account: string): void {
    const row = this.db.account_metadata.get('by_name', N(account))
    this.db.account_metadata.modify(row, (r) => {
      r.flags |= 1
    })
  }
}

/** `alice@active`. */
export function level(text: string): PermissionLevel {
  const [actor = '', permission = ''] = text.split('@')
  return { actor: N(actor), permission: N(permission) }
}

/** An action; `authorization` lists levels, separated by commas, or is empty. */
export function action(
  account: string,
  name: string,
  authorization: string,
  data: Uint8Array = new Uint8Array(0),
): Action {
  const levels = authorization === '' ? [] : authorization.split(',')
  return { account: N(account), name: N(name), authorization: levels.map(level), data }
}

/** The native action that sets an account's code. */
export function setCodeAction(account: string, code: Uint8Array): Action {
  const w = new Writer()
  w.name(N(account))
  w.u8(0)
  w.u8(0)
  w.blob(code)
  return action('eosio', 'setcode', `${account}@active`, w.bytes())
}

/** Limits of a push that nothing limits but the chain. */
export function pushLimits(limits: Partial<PushLimits> = {}): PushLimits {
  return {
    block_deadline_us: Infinity,
    max_transaction_time_us: Infinity,
    billed_cpu_time_us: 0,
    explicit_billed_cpu_time: false,
    subjective_cpu_bill_us: 0,
    ...limits,
  }
}

function blockIdOf(block_num: number): Uint8Array {
  const id = sha256(Buffer.from(`block ${block_num}`))
  new DataView(id.buffer, id.byteOffset).setUint32(0, block_num)
  return id
}
