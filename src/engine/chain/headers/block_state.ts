import assert from 'node:assert'
import { check } from '../../errors.ts'
import type { BlockHeader, SignedBlock, TransactionReceipt } from '../../protocol/block.ts'
import { packSignedBlock, unpackSignedBlock } from '../../protocol/block.ts'
import { extractBlockExtensions } from '../../protocol/block_extension.ts'
import type { QuorumCertificate } from '../../protocol/finality.ts'
import { toHex } from '../../protocol/hex.ts'
import type { ProducerAuthority, ProducerAuthoritySchedule } from '../../protocol/schedule.ts'
import { Reader } from '../../protocol/reader.ts'
import { packOne } from '../../protocol/writer.ts'
import { scheduledProducer } from './legacy/header_state.ts'
import type { HeaderState } from './legacy/header_state.ts'
import { lastFinalBlockNum, latestQcClaim } from './savanna/finality_core.ts'
import type { SavannaHeaderState } from './savanna/header_state.ts'
import { producerAt } from './savanna/header_state.ts'
import type { ValidStructure } from './savanna/valid_structure.ts'
import { VoteAggregator } from './savanna/vote_aggregator.ts'
import type { TransactionMetadata } from '../base/transaction_metadata.ts'
import type { ChangeSet } from '../../state/changes.ts'

/**
 * The states of the header after a block. Legacy blocks have the one, proper Savanna blocks the
 * other, and the blocks of the transition both: the one that proposed the first finalizer policy
 * and those after it, up to the one that makes it irreversible.
 */
export interface HeaderStates {
  readonly legacy?: HeaderState | undefined
  readonly savanna?: SavannaHeaderState | undefined
}

/** A block that this node produced, whose signatures may still be made on another thread. */
export interface ProducedBlock {
  readonly transactions: readonly TransactionReceipt[]
  readonly quorum_certificate: QuorumCertificate | undefined
  /** Gives the signed block, and waits for its signatures. */
  sign(): SignedBlock
}

/** A block and the state after it. Everything outside of the header rules asks the getters alone. */
export class BlockState {
  readonly legacy: HeaderState | undefined
  readonly savanna: SavannaHeaderState | undefined
  /** The id in hex. */
  readonly key: string
  readonly previous_key: string
  /** The previous block; undefined for blocks that the fork database does not have, and for its root. */
  parent: BlockState | undefined
  /** This node executed the block and found it right. */
  validated = false
  /** The finality tree up to this block; known once a Savanna or transition block is executed. */
  valid: ValidStructure | undefined
  /** The root of the executed actions in the form of Savanna; known if the block was executed since the
   *  start, and has a Savanna state. */
  action_mroot: Uint8Array | undefined
  /** The block's input transactions, in order, when they are known with their keys. */
  trx_metas: readonly TransactionMetadata[] | undefined
  /** Rows that the block changed, with their bytes after it; dropped once they are stored. */
  changes: ChangeSet | undefined

  private readonly produced: ProducedBlock | undefined
  private signed: SignedBlock | undefined
  private packed: Uint8Array | undefined
  private aggregator: VoteAggregator | undefined

  /** `block` and its bytes are unknown when the chain starts from state without a block log. */
  constructor(states: HeaderStates, block?: SignedBlock | ProducedBlock, packed?: Uint8Array) {
    assert(states.legacy ?? states.savanna, 'a block has a header state')
    this.legacy = states.legacy
    this.savanna = states.savanna
    if (block && 'sign' in block) this.produced = block
    else this.signed = block
    this.packed = packed
    this.key = toHex(this.id)
    this.previous_key = toHex(this.previous)
  }

  /** Whether the block itself is available, not only the state after it. */
  get has_block(): boolean {
    return (this.signed ?? this.packed ?? this.produced) !== undefined
  }
  /** The signed block; waits for its signatures. */
  get block(): SignedBlock {
    this.signed ??=
      this.produced?.sign() ?? (this.packed && unpackSignedBlock(new Reader(this.packed)))
    assert(this.signed, `block ${this.block_num} is not here`)
    return this.signed
  }
  /** Keeps the packed block alone until the other form is needed, for a block that waits: its objects cost the
   *  collection of garbage more than it costs to make them again. */
  close(): void {
    if (this.packed !== undefined) this.signed = undefined
  }
  /** Keeps the packed block alone, for a block that is never undone. */
  forgetTransactions(): void {
    this.trx_metas = undefined
    this.close()
  }
  /** The signed block as on the wire and in the log; waits for its signatures. */
  get packed_block(): Uint8Array {
    return (this.packed ??= packOne(packSignedBlock, this.block))
  }
  /** The transactions of the block. Waits for no signatures. */
  get transactions(): readonly TransactionReceipt[] {
    return (this.produced ?? this.block).transactions
  }
  /** The certificate that the block contains. Waits for no signatures. */
  get quorum_certificate(): QuorumCertificate | undefined {
    if (this.produced) return this.produced.quorum_certificate
    return extractBlockExtensions(this.block.block_extensions).quorum_certificate
  }
  /** The header as it was signed. */
  get header(): BlockHeader {
    return this.legacy?.header ?? this.savanna!.header
  }
  /** 32 bytes, of which the first four are the block number. */
  get id(): Uint8Array {
    return this.legacy?.id ?? this.savanna!.id
  }
  /** The number of the block; the genesis block is 1. */
  get block_num(): number {
    return this.legacy?.block_num ?? blockNumOfSavanna(this.savanna!)
  }
  /** The id of the block before it. */
  get previous(): Uint8Array {
    return this.header.previous
  }
  /** Slot. */
  get timestamp(): number {
    return this.header.timestamp
  }
  /** The account that produced it. */
  get producer(): bigint {
    return this.header.producer
  }

  /** A Savanna block, not one of the transition. */
  get is_proper_savanna(): boolean {
    return this.legacy === undefined
  }

  /** Blocks on top of this one are proper Savanna blocks: it is one, or the last of the transition,
   *  which makes the first block of the transition irreversible. */
  get leads_to_savanna(): boolean {
    const { legacy, savanna } = this
    if (legacy === undefined) return true
    return savanna !== undefined && legacy.dpos_irreversible_blocknum >= genesisNum(savanna)
  }

  /** The number of the last block that this block makes irreversible. */
  get irreversible_block_num(): number {
    const { legacy, savanna } = this
    if (legacy === undefined) return lastFinalBlockNum(savanna!.core)
    const { dpos_irreversible_blocknum } = legacy
    // The legacy rules end at the block at which Savanna starts.
    return savanna === undefined
      ? dpos_irreversible_blocknum
      : Math.min(genesisNum(savanna), dpos_irreversible_blocknum)
  }

  /** Digests of the features that are active after this block, ascending. */
  get activated_protocol_features(): readonly Uint8Array[] {
    return (this.legacy ?? this.savanna!).activated_protocol_features
  }

  /** The schedule of which this block is. */
  get active_schedule(): ProducerAuthoritySchedule {
    return this.leads_to_savanna
      ? this.savanna!.active_proposer_policy.proposer_schedule
      : this.legacy!.active_schedule
  }

  /** The pending schedule; undefined if there is none under Savanna. */
  get pending_schedule(): ProducerAuthoritySchedule | undefined {
    return this.leads_to_savanna
      ? this.savanna!.latest_pending_proposer_policy?.proposer_schedule
      : this.legacy!.pending_schedule.schedule
  }

  /** The producer of a block at a later slot on top of this one. */
  producerAt(slot: number): ProducerAuthority {
    return this.leads_to_savanna
      ? producerAt(this.savanna!, slot)
      : scheduledProducer(this.legacy!.active_schedule, slot)
  }

  /**
   * The Savanna state of a block that has one.
   * @throws ChainError block_validate_exception for a legacy block
   */
  get savanna_state(): SavannaHeaderState {
    check(this.savanna, 'block_validate_exception', `block ${this.block_num} is a legacy block`)
    return this.savanna
  }

  /** The finality tree; only if the caller knows that the block was executed. */
  get valid_structure(): ValidStructure {
    assert(this.valid, `block ${this.block_num} was not executed`)
    return this.valid
  }

  /** The best certificate that there is for this block, from votes or later blocks. */
  get best_certificate(): QuorumCertificate | undefined {
    return this.aggregator?.best(this.block_num)
  }

  /** Votes on this block, and certificates for it. They are added by `ForkDatabase.votesOn`. */
  get votes(): VoteAggregator {
    const { active_finalizer_policy, pending_finalizer_policy } = this.savanna_state
    this.aggregator ??= new VoteAggregator(active_finalizer_policy, pending_finalizer_policy?.[1])
    return this.aggregator
  }
}

/** Number of the block at which Savanna started, for a block of the transition. */
function genesisNum({ core }: SavannaHeaderState): number {
  return latestQcClaim(core).block_num
}

function blockNumOfSavanna({ core }: SavannaHeaderState): number {
  return core.links.at(-1)!.source_block_num
}
