import type { MessagePort } from 'node:worker_threads'
import { check } from '../errors.ts'
import { packSignedBlock } from '../protocol/block.ts'
import type { SignedBlock, SignedBlockHeader } from '../protocol/block.ts'
import type { BuiltinFeatureName } from '../protocol/features.ts'
import { toHex } from '../protocol/hex.ts'
import type { ProducerAuthority } from '../protocol/schedule.ts'
import { slotToUs } from '../protocol/time.ts'
import { packOne } from '../protocol/writer.ts'
import type { SnapshotSource } from '../snapshot/source.ts'
import type { Database } from '../state/database.ts'
import type { SubjectiveRules } from './execution/subjective_rules.ts'
import * as queries from './blocks/block_queries.ts'
import type { BlockState } from './headers/block_state.ts'
import { checkSignedHeader, validateBlock } from './blocks/block_validation.ts'
import type { BuildingBlock } from './blocks/building_block.ts'
import type { ChainDependencies, ChainOptions } from './chain_options.ts'
import type { LateBlockSigner } from './headers/block_signing.ts'
import type { PushLimits } from './execution/push_limits.ts'
import type { StartBlock } from './blocks/building_block.ts'
import type { KnownTransactions, TransactionLookup } from './blocks/recover_block.ts'
import type { ChainEvents } from './chain_events.ts'
import type { ChainParts } from './blocks/chain_parts.ts'
import { dropCheckpoint, goBackTo, takeCheckpoint } from './blocks/checkpoints.ts'
import type { Checkpoint } from './blocks/checkpoint.ts'
import { abortBlock } from './blocks/commit_block.ts'
import { activatedSet } from './rules/features/activated_list.ts'
import type { FeatureSet } from './rules/features.ts'
import { isFork } from './rules/fork.ts'
import { prepareBlock, receiveVote } from './voting/verify_received.ts'
import type { TrackedVote } from './voting/finality_parts.ts'
import type { Vote, VoteResult } from '../protocol/vote.ts'
import { produceBlock } from './blocks/produce_block.ts'
import { executableBlocks, executesIrreversible } from './blocks/irreversible.ts'
import { acceptBlock, applyBest, pushBlock } from './blocks/push_block.ts'
import { checkCodes } from './execution/check_codes.ts'
import { pushScheduledById, pushTransaction } from './execution/push_transaction.ts'
import { Savepoint } from './blocks/savepoint.ts'
import { ReadersNews } from './sharing/readers_news.ts'
import { snapshotSource } from './blocks/snapshot_source.ts'
import { startBlock } from './blocks/start_block.ts'
import { createChain } from './startup/create_chain.ts'
import { openChain } from './startup/open_chain.ts'
import type { TransactionMetadata } from './base/transaction_metadata.ts'
import type { TransactionTrace } from './base/trace.ts'

export type { Checkpoint, Savepoint }

/** The way in which a pushed block joined the fork database. */
export type PushBlockResult = 'duplicate' | 'added' | 'appended' | 'fork_switch'

/**
 * The chain: its state, its head, the blocks that may still be undone, and the pending block.
 *
 * Everything that changes state is synchronous; only `open`, `settled` and `close` wait for the
 * store. A block is announced (`blockAccepted`) after the reversible log contains it, so no
 * announced block is lost at a crash.
 */
export class Chain {
  private readonly parts: ChainParts
  private change_count = 0
  /** What was sent to readers; undefined while there is none. */
  private news: ReadersNews | undefined

  private constructor(parts: ChainParts) {
    this.parts = parts
  }

  /** Opens the chain from the store, or from genesis, a snapshot, or by replaying a block log. */
  static async open(options: ChainOptions, deps: ChainDependencies): Promise<Chain> {
    return new Chain(await openChain(options, deps))
  }

  /**
   * A new chain in memory, of a genesis, a snapshot or a fork. It has no finalizers of its own. Unlike
   * {@link open} it waits for nothing.
   * @throws ChainError block_log_exception without any of these; the snapshot cannot be read
   */
  static create(options: ChainOptions, deps: Omit<ChainDependencies, 'store'>): Chain {
    return new Chain(createChain(options, deps))
  }

  /** Grows with everything that may change what the chain answers; never goes back. */
  get version(): number {
    return this.change_count
  }

  /** 32 bytes: the SHA-256 of the packed genesis. */
  get chain_id(): Uint8Array {
    return this.parts.chain_id
  }

  /** Whether it is a fork of a public chain, whose producers and finalizers stay as they are. */
  get is_fork(): boolean {
    return isFork(this.parts.db)
  }

  /**
   * The state after the pending block, or after the head if there is none. Its rows change with each transaction.
   */
  get db(): Database {
    return this.parts.db
  }

  /** Every protocol feature that this node recognizes. */
  get features(): FeatureSet {
    return this.parts.features
  }

  /** The rules of this node alone; its sets and numbers may be changed between transactions. */
  get rules(): SubjectiveRules {
    return this.parts.rules
  }

  /** The events of the chain. */
  get events(): ChainEvents {
    return this.parts.events
  }

  /** The last block applied; the state without a pending block is the state after it. */
  get head(): BlockState {
    return this.parts.head
  }

  /** The last irreversible block, at or before the head. */
  get last_irreversible(): BlockState {
    return this.parts.forks.root
  }

  /** The best known block; it is the head unless that branch proved wrong. */
  get fork_head(): BlockState {
    return this.parts.forks.head
  }

  /** The pending block, between startBlock and produceBlock or abortBlock. */
  get pending(): BuildingBlock | undefined {
    return this.parts.pending
  }

  /** The file of the irreversible blocks; undefined if they are in memory. */
  get block_log_path(): string | undefined {
    return this.parts.writer.log.path
  }

  /** Number of the first block that blockByNumber can answer. */
  get earliest_available_block_num(): number {
    return this.parts.writer.log.first_block_num || this.parts.forks.root.block_num
  }

  /** Starts a block. Returns the trace of its onblock transaction (undefined if ephemeral). */
  startBlock(args: StartBlock): TransactionTrace | undefined {
    return this.change(() => this.start(args))
  }

  /** Executes an input, dry-run or read-only transaction in the pending block. Failures of the
   *  transaction are in `trace.except`; only failures of the block throw. */
  pushTransaction(meta: TransactionMetadata, limits: PushLimits): TransactionTrace {
    return this.change(() => pushTransaction(this.required(), meta, limits))
  }

  /**
   * The transaction with the codes that it sets checked on another thread, where that is possible and the transaction
   * is authorized. It may be executed without this.
   */
  checkCodes(meta: TransactionMetadata): Promise<TransactionMetadata> {
    const { db, runtime, rules, features } = this.parts
    const isActivated = (name: BuiltinFeatureName): boolean =>
      this.isFeatureActivated(features.byName(name).digest)
    return checkCodes({ db, runtime, rules, isActivated }, meta)
  }

  /** Executes or expires the deferred transaction with this id in the pending block. */
  pushScheduled(trx_id: Uint8Array, limits: PushLimits): TransactionTrace {
    return this.change(() => pushScheduledById(this.required(), trx_id, limits))
  }

  /** Finishes, signs and commits the pending block, and announces it as the new head. */
  produceBlock(sign: LateBlockSigner): BlockState {
    return this.change(() => produceBlock(this.parts, sign))
  }

  /**
   * Does work in which blocks are produced or applied, and writes and syncs them to the disk once, at its end, when
   * their signatures are made. Other threads see the chain only then. Listeners of events must not announce the
   * blocks before: blocks of peers are announced afterwards, and a node that makes many blocks at once has no peers.
   * @param meanwhile does a small part of other work while the disk is waited for, and returns whether there was any; it
   *   must not change the chain
   */
  inOneSync<T>(work: () => T, meanwhile?: () => boolean): T {
    return this.change(() => this.parts.writer.inOneSync(work, meanwhile))
  }

  /** Drops the pending block; answers its input transactions in execution order. */
  abortBlock(): TransactionMetadata[] {
    return this.change(() => abortBlock(this.parts))
  }

  /**
   * Checks a signed block without executing it; a pending block is not affected. Returns false if
   * the block is known.
   * @throws ChainError the reason of a refusal
   */
  checkBlock(block: SignedBlock): boolean {
    return validateBlock(this.parts, block, packOne(packSignedBlock, block)) !== undefined
  }

  /**
   * Checks a signed block, adds it to the fork database and applies what is best then; a pending
   * block must have been aborted. `lookup` may know transactions with their keys, which spares
   * recovering them.
   * @throws ChainError the reason to refuse the block
   */
  pushBlock(block: SignedBlock | Uint8Array, lookup?: TransactionLookup): PushBlockResult {
    return this.change(() => pushBlock(this.parts, block, lookup))
  }

  /**
   * Checks a signed block and adds it to the fork database without executing it; a pending block is
   * not affected.
   * @param packed the block as on the wire
   * @param known its packed transactions, in order, as far as they are known with their keys: then they are not hashed
   *   and recovered again
   * @throws ChainError the reason of a refusal; unlinkable_block_exception if its previous block is
   *   not known
   */
  acceptBlock(block: SignedBlock, packed: Uint8Array, known?: KnownTransactions): PushBlockResult {
    return this.change(() => acceptBlock(this.parts, block, packed, known))
  }

  /** Refuses a block of which the header alone was read, where that can be done.
   *  @throws ChainError unlinkable_block_exception, wrong_signing_key */
  checkSignedHeader(id: Uint8Array, header: SignedBlockHeader): void {
    checkSignedHeader(this.parts, id, header)
  }

  /** Applies the best known branch, if that is not the head's.
   *  @param max the most blocks that are applied, if no block is undone */
  applyBest(lookup?: TransactionLookup, max?: number): void {
    this.change(() => applyBest(this.parts, lookup, max))
  }

  /** No block is applied after the block of this number, also when branches are switched; 0: there is none. */
  set pause_at_block_num(block_num: number) {
    this.parts.pause_at_block_num = block_num
  }

  /** Whether blocks are executed only when they are irreversible: then the head is the last of them. */
  get executes_irreversible(): boolean {
    return executesIrreversible(this.parts)
  }

  /** Blocks of the best branch that are to be executed and are not yet, oldest first. */
  unappliedBlocks(): BlockState[] {
    const { forks, head } = this.parts
    if (this.executes_irreversible) return executableBlocks(this.parts)
    return forks.branchesFrom(forks.head.id, head.id)[0].reverse()
  }

  /** Whether blocks of Savanna are taken; from its last block before Savanna on. */
  get takes_savanna_blocks(): boolean {
    return this.parts.forks.savanna
  }

  /** The block with this number on the best branch, from the fork database or the log. */
  blockByNumber(block_num: number): SignedBlock | undefined {
    return queries.blockByNumber(this.parts, block_num)
  }

  /** The same, as on the wire. */
  packedBlockByNumber(block_num: number): Uint8Array | undefined {
    return queries.packedBlockByNumber(this.parts, block_num)
  }

  /** The packed block with this number on the best branch, which may not be executed yet. */
  packedBlockOnBest(block_num: number): Uint8Array | undefined {
    return queries.packedBlockOnBest(this.parts, block_num)
  }

  /** The id of the block with this number on the best branch. */
  blockIdOnBest(block_num: number): Uint8Array | undefined {
    return queries.blockIdOnBest(this.parts, block_num)
  }

  /** The id of the block with this number on the head's branch. */
  blockIdByNumber(block_num: number): Uint8Array | undefined {
    return queries.blockIdByNumber(this.parts, block_num)
  }

  /** A block by id: in the fork database (any branch) or in the log. */
  blockById(id: Uint8Array): SignedBlock | undefined {
    return queries.blockById(this.parts, id)
  }

  /** State of a reversible block (or of the last irreversible one), by id. */
  blockState(id: Uint8Array): BlockState | undefined {
    return this.parts.forks.get(id)
  }

  /** The producer whose turn a slot after the head is. */
  scheduledProducer(slot: number): ProducerAuthority {
    return this.head.producerAt(slot)
  }

  /**
   * Checks features that a block built on the head would activate (recognized, not yet active,
   * dependencies).
   * @throws ChainError protocol_feature_exception
   */
  validateProtocolFeatures(digests: readonly Uint8Array[]): void {
    const { timestamp, activated_protocol_features } = this.head
    this.parts.header_rules.checkFeatures(timestamp, activated_protocol_features, digests)
  }

  /** Casts the votes of this node's finalizers that could not be cast at their time. */
  retryVotes(): void {
    this.parts.finality.voter?.retry()
  }

  /** Whether this node has the key of a finalizer. */
  votesFor(finalizer_key: Uint8Array): boolean {
    return this.parts.finality.voter?.finalizers.has(finalizer_key) ?? false
  }

  /** Whether a feature must be preactivated by a transaction before a block may activate it. */
  requiresPreactivation(digest: Uint8Array): boolean {
    return this.parts.features.byDigest(digest).preactivation_required
  }

  /** Features that the next block must activate, in the order of their preactivation. */
  preactivatedFeatures(): Uint8Array[] {
    const { preactivated_protocol_features } = this.db.protocol_state.single()
    return preactivated_protocol_features.map((digest) => Uint8Array.from(digest))
  }

  /** Whether a feature is active after the head, or in the pending block. */
  isFeatureActivated(digest: Uint8Array): boolean {
    if (this.parts.pending) return this.parts.pending.isFeatureActivated(digest)
    return activatedSet(this.head.activated_protocol_features).has(toHex(digest))
  }

  /** Whether a transaction with this id is in the chain and did not expire since. */
  isKnownTransaction(trx_id: Uint8Array): boolean {
    return this.db.transaction.find('by_trx_id', trx_id) !== undefined
  }

  /** Ids of the deferred transactions that the pending block may retire: expired ones, and once
   *  deferred transactions are disabled all of them; no more than `max`.
   *  spring: plugins/producer_plugin/producer_plugin.cpp (retire_deferred_trxs) */
  retirableTransactions(max = Infinity): Uint8Array[] {
    const block = this.required()
    const all = block.isActivated('DISABLE_DEFERRED_TRXS_STAGE_1')
    const ids: Uint8Array[] = []
    for (const row of this.db.generated_transaction.all('by_expiration')) {
      if (ids.length >= max) break
      if (!all && row.expiration >= slotToUs(block.slot)) break
      ids.push(row.trx_id)
    }
    return ids
  }

  /** The last vote of a finalizer that certificates in recent blocks contain. */
  lastVote(finalizer_key: Uint8Array): TrackedVote | undefined {
    return this.parts.finality.last_votes.get(toHex(finalizer_key))
  }

  /** Adds the vote of another node's finalizer; verified on another thread. */
  async receiveVote(vote: Vote): Promise<VoteResult> {
    this.change_count++
    const result = await receiveVote(this.parts, vote)
    if (result === 'success') this.events.emit('voteReceived', vote)
    return result
  }

  /**
   * Verifies the certificate of a block on another thread before it is pushed, so that the push
   * need not verify it. The promise does not reject for an invalid block, which the push refuses.
   */
  prepareBlock(block: SignedBlock | Uint8Array): Promise<void> {
    return prepareBlock(this.parts, block)
  }

  /** Resolves when this node's votes on the blocks so far are cast. */
  async voted(): Promise<void> {
    await this.parts.finality.voter?.settled()
  }

  /**
   * A view of the state after the head, which can be written or hashed while the chain continues.
   * The caller must release it. Only while there is no pending block.
   */
  snapshotSource(): SnapshotSource {
    return snapshotSource(this.parts)
  }

  /** Marks a moment in the pending block, to which {@link rollBack} returns. */
  savepoint(): Savepoint {
    return new Savepoint(this.required())
  }

  /** Takes back what transactions did in the pending block since a savepoint, which remains. */
  rollBack(savepoint: Savepoint): void {
    this.change_count++
    savepoint.rollBack()
  }

  /**
   * Takes a checkpoint at the head. Until it is dropped, no block becomes irreversible here, and later blocks stay in
   * memory with their undo history. A pending block is not part of it. Checkpoints end with the process. Only for
   * chains whose blocks no other node has.
   */
  takeCheckpoint(): Checkpoint {
    return takeCheckpoint(this.parts)
  }

  /** The checkpoints that were not dropped, in the order in which they were taken. */
  get checkpoints(): readonly Checkpoint[] {
    return this.parts.checkpoints
  }

  /**
   * Returns to a checkpoint: state, blocks, votes and files are as they were, and the later blocks never were, also
   * for a restart. The checkpoint remains; those that were taken after it are dropped.
   * @throws ChainError if it was dropped, or there is a pending block; in a chain on disk, if a vote is being written:
   *   await {@link voted} first
   */
  goBackTo(checkpoint: Checkpoint): void {
    this.change(() => goBackTo(this.parts, checkpoint))
  }

  /**
   * Drops a checkpoint. After the last one, blocks become irreversible again.
   * @throws ChainError if it was dropped before
   */
  dropCheckpoint(checkpoint: Checkpoint): void {
    this.change(() => dropCheckpoint(this.parts, checkpoint))
  }

  /**
   * Lets another thread read the state, between changes and without any wait for this thread. Returns what it
   * needs with the other end of the port.
   * @param port what changed is posted there, until {@link removeReader}
   */
  addReader(port: MessagePort): SharedArrayBuffer {
    this.news ??= new ReadersNews(this.parts)
    this.share()
    return this.db.shared.addReader(port, this.news.everything())
  }

  /** The rules of this node have changed; threads that read the state see it from their next turn on. */
  rulesChanged(): void {
    this.change(() => {})
  }

  /** The thread at the other end of the port reads no more. */
  removeReader(port: MessagePort): void {
    this.db.shared.removeReader(port)
    if (!this.db.shared.isRead) this.news = undefined
  }

  /** Waits while too many rows wait for the store; await it between blocks. */
  settled(): Promise<void> {
    return this.parts.writer.settled()
  }

  /** Aborts the pending block, writes everything out and releases the files. */
  async close(): Promise<void> {
    this.abortBlock()
    this.db.shared.lock.close()
    await this.parts.finality.close()
    await this.parts.writer.close()
  }

  private start(args: StartBlock): TransactionTrace | undefined {
    check(
      args.status === 'incomplete' || args.status === 'ephemeral',
      'block_validate_exception',
      'speculative block type required',
    )
    if (args.features?.length) this.validateProtocolFeatures(args.features)
    return startBlock(this.parts, args)
  }

  /** Runs a change of the state, which readers on other threads see as a whole. */
  private change<R>(run: () => R): R {
    this.change_count++
    const { shared } = this.db
    if (!shared.isRead) return run()
    shared.lock.write()
    try {
      return run()
    } finally {
      // Before its end readers see nothing. To tell them of a block takes its signatures, which may not be made yet.
      if (shared.lock.is_outermost) this.share()
      shared.lock.endWrite()
    }
  }

  private share(): void {
    this.db.shared.version = this.change_count
    const news = this.news?.next()
    if (news) this.db.shared.publish(news)
  }

  private required(): BuildingBlock {
    const { pending } = this.parts
    check(pending, 'block_validate_exception', 'there is no pending block')
    return pending
  }
}
