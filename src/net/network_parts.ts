import type { Dispatcher } from './dispatcher.ts'
import type { NetworkState } from './network_state.ts'
import type { ProducerPeering } from './producers/producer_peering.ts'
import type { ReadTurns } from './read_turns.ts'
import type { SharedMemory } from './shared_memory.ts'
import type { SyncManager } from './sync_manager.ts'
import type { WaitingVotes } from './waiting_votes.ts'

/** What a peer works with. */
export interface Network {
  readonly state: NetworkState
  readonly dispatcher: Dispatcher
  readonly sync: SyncManager
  readonly producers: ProducerPeering
  readonly votes: WaitingVotes
  readonly turns: ReadTurns
  /** Memory of blocks that wait for the chain, and of transactions in execution. */
  readonly block_memory: SharedMemory
  readonly transaction_memory: SharedMemory
  /** Transactions that were not executed because too many of a peer were in progress. */
  dropped_transactions: number
  /** Connections that this node could not make. */
  failed_connections: number
}
