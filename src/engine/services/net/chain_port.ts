import type {
  BlockOutcome,
  PeerChain,
  ReceivedBlock,
  ReceivedTransaction,
} from '../../../net/peer_chain.ts'
import type { Chain } from '../../chain/chain.ts'
import { signDigest } from '../../crypto/keys.ts'
import { toHex } from '../../protocol/hex.ts'
import type { Vote, VoteResult } from '../../protocol/vote.ts'
import type { Producer } from '../production/producer.ts'
import type { BlockIntake } from './block_intake.ts'
import type { PeerKeys } from './peer_keys.ts'
import type { TransactionIntake } from './transaction_intake.ts'

/** The chain as the network uses it. */
export class ChainPort implements PeerChain {
  readonly chain_id: Uint8Array
  readonly accepts_votes = true
  readonly executes_irreversible: boolean
  private readonly chain: Chain
  private readonly producer: Producer
  private readonly intake: BlockIntake
  private readonly transactions: TransactionIntake
  private readonly peer_keys: PeerKeys | undefined

  /** @param deps.peer_keys undefined if this node takes no part in gossip */
  constructor(deps: {
    chain: Chain
    producer: Producer
    intake: BlockIntake
    transactions: TransactionIntake
    peer_keys: PeerKeys | undefined
  }) {
    this.peer_keys = deps.peer_keys
    this.chain = deps.chain
    this.chain_id = deps.chain.chain_id
    this.executes_irreversible = deps.chain.executes_irreversible
    this.producer = deps.producer
    this.intake = deps.intake
    this.transactions = deps.transactions
  }

  position() {
    const { head, fork_head, last_irreversible: root } = this.chain
    return {
      root_num: root.block_num,
      root_id: root.id,
      head_num: head.block_num,
      head_id: head.id,
      head_slot: head.timestamp,
      fork_head_num: fork_head.block_num,
      fork_head_id: fork_head.id,
      fork_head_root_num: fork_head.irreversible_block_num,
    }
  }

  earliestBlockNum(): number {
    return this.chain.earliest_available_block_num
  }

  blockId(block_num: number): Uint8Array | undefined {
    return this.chain.blockIdOnBest(block_num)
  }

  packedBlock(block_num: number): Uint8Array | undefined {
    return this.chain.packedBlockOnBest(block_num)
  }

  producesFor(producer: bigint): boolean {
    return this.producer.options.producers.includes(producer)
  }

  hasProducerKey(key: Uint8Array): boolean {
    return this.producer.options.signing_keys.has(toHex(key))
  }

  peerKey(producer: bigint): Uint8Array | undefined {
    return this.peer_keys?.get(producer)
  }

  signAs(public_key: Uint8Array, digest: Uint8Array): Uint8Array | undefined {
    const secret = this.producer.options.signing_keys.get(toHex(public_key))
    return secret && signDigest(secret, digest)
  }

  takeBlock(received: ReceivedBlock, outcome: (outcome: BlockOutcome) => void): void {
    this.intake.take(received, outcome)
  }

  takeTransaction(transaction: ReceivedTransaction, session: number, done: () => void): void {
    this.transactions.take(transaction, session, done)
  }

  takeVote(vote: Vote): Promise<VoteResult> {
    return this.chain.receiveVote(vote)
  }
}
