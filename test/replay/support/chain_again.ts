import { ConversionBudget } from '../../../src/engine/abi/conversion_budget.ts'
import { AbiCache } from '../../../src/engine/abi/abi_cache.ts'
import type { CompiledAbi } from '../../../src/engine/abi/compiled_abi.ts'
import { Chain } from '../../../src/engine/chain/chain.ts'
import type { PushLimits } from '../../../src/engine/chain/execution/push_limits.ts'
import { defaultRules } from '../../../src/engine/chain/execution/subjective_rules.ts'
import type { TransactionTrace } from '../../../src/engine/chain/base/trace.ts'
import { transactionTraceJson } from '../../../src/engine/json/trace.ts'
import {
  createMetadata,
  recoverMetadataKeys,
} from '../../../src/engine/chain/base/transaction_metadata.ts'
import { ChainError } from '../../../src/engine/errors.ts'
import { extractHeaderExtensions } from '../../../src/engine/protocol/block_extension.ts'
import type { SignedBlock } from '../../../src/engine/protocol/block.ts'
import type { GenesisState } from '../../../src/engine/protocol/genesis.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { signatureFromString } from '../../../src/engine/protocol/key.ts'
import type { PackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import { parseLists, setWhitelistBlacklist } from '../../../src/engine/services/production/lists.ts'
import type { MutableRules } from '../../../src/engine/chain/execution/subjective_rules.ts'
import { NO_LISTS } from '../../support/no_lists.ts'
import { slotToUs } from '../../../src/engine/protocol/time.ts'
import { NoStore } from '../../../src/engine/store/no_store.ts'
import { INLINE_BLS } from '../../engine/chain/support/test_chain.ts'
import type { RecordedRun, Submission } from './recording.ts'

/**
 * A chain that is lived through again. Before each of its blocks is pushed, the transactions that
 * were submitted while it was made are run at their places in it.
 */
export class ChainAgain {
  readonly chain: Chain
  private readonly clock: { now_us: number }
  private readonly rules: MutableRules
  private readonly abis = new AbiCache()
  private next_receipt = 0

  private constructor(chain: Chain, clock: { now_us: number }, rules: MutableRules) {
    this.chain = chain
    this.clock = clock
    this.rules = rules
  }

  static async open(genesis: GenesisState): Promise<ChainAgain> {
    const clock = { now_us: 0 }
    const rules = { ...defaultRules(), contracts_console: true } as MutableRules
    const now = (): number => clock.now_us++
    const deps = { store: new NoStore(), now, bls: INLINE_BLS }
    return new ChainAgain(await Chain.open({ genesis, rules }, deps), clock, rules)
  }

  /** Begins the block as its producer did. */
  begin(block: SignedBlock): void {
    this.next_receipt = 0
    this.clock.now_us = slotToUs(block.timestamp) - 500_000
    this.chain.startBlock({
      slot: block.timestamp,
      confirmed: block.confirmed,
      features: extractHeaderExtensions(block.header_extensions).protocol_feature_activation ?? [],
      status: 'incomplete',
    })
  }

  /**
   * Runs a transaction where it ran then; answers its trace as JSON, undefined if its place is not
   * known: it succeeded, and the block does not have it.
   */
  run(block: SignedBlock, { kind, submission, trace, lists }: RecordedRun): unknown {
    setWhitelistBlacklist(this.rules, parseLists({ ...NO_LISTS, ...lists }))
    const failed = trace.except !== null
    const there = kind === 'input' && this.catchUp(block, failed ? undefined : trace.id)
    if (kind === 'input' && !there && !failed) return undefined
    const billed = there || kind === 'dry_run' ? trace.receipt?.cpu_usage_us : undefined
    return this.json(this.push(packedOf(submission), limitsOf(billed), kind))
  }

  /** Drops what was begun and takes the block itself. */
  end(block: SignedBlock): void {
    setWhitelistBlacklist(this.rules, parseLists(NO_LISTS))
    this.chain.abortBlock()
    this.chain.pushBlock(block)
  }

  /** Executes the receipts of the block up to (not with) the transaction; false if it is not there. */
  private catchUp(block: SignedBlock, id: string | undefined): boolean {
    const end =
      id === undefined ? -1 : block.transactions.findIndex(({ trx }) => receiptId(trx) === id)
    for (; this.next_receipt < end; this.next_receipt++) {
      const { trx, cpu_usage_us } = block.transactions[this.next_receipt]!
      if ('id' in trx) this.chain.pushScheduled(trx.id, limitsOf(cpu_usage_us))
      else this.push(trx.packed, limitsOf(cpu_usage_us), 'input')
    }
    if (end >= 0) this.next_receipt = end + 1
    return end >= 0
  }

  private push(
    packed: PackedTransaction,
    limits: PushLimits,
    kind: RecordedRun['kind'],
  ): TransactionTrace {
    const meta = recoverMetadataKeys(createMetadata(packed, kind), this.chain.chain_id)
    return this.chain.pushTransaction(meta, limits)
  }

  private json(trace: TransactionTrace): unknown {
    return transactionTraceJson(trace, {
      abiOf: (account) => this.abiOf(account),
      budget: new ConversionBudget(),
      now_us: this.clock.now_us,
    })
  }

  private abiOf(account: bigint): CompiledAbi | undefined {
    const row = this.chain.db.account.find('by_name', account)
    try {
      return row && this.abis.get(row.abi)
    } catch (error) {
      if (error instanceof ChainError) return undefined
      throw error
    }
  }
}

const packedOf = (submission: Submission): PackedTransaction => ({
  signatures: submission.signatures.map(signatureFromString),
  compression: submission.compression === 'zlib' ? 1 : 0,
  packed_context_free_data: fromHex(submission.packed_context_free_data),
  packed_trx: fromHex(submission.packed_trx),
})

const receiptId = (trx: { id: Uint8Array } | { packed: PackedTransaction }): string =>
  toHex('id' in trx ? trx.id : createMetadata(trx.packed, 'input').id)

const limitsOf = (cpu_usage_us: number | undefined): PushLimits => ({
  block_deadline_us: Infinity,
  max_transaction_time_us: Infinity,
  billed_cpu_time_us: cpu_usage_us ?? 0,
  explicit_billed_cpu_time: cpu_usage_us !== undefined,
  subjective_cpu_bill_us: 0,
})
