import type { Dispatcher } from './dispatcher.ts'
import type { NetworkState } from './network_state.ts'
import type { ProducerPeering } from './producers/producer_peering.ts'
import type { SyncManager } from './sync_manager.ts'
import type { WaitingVotes } from './waiting_votes.ts'

/** What a peer works with. */
export interface Network {
  readonly state: NetworkState
  readonly dispatcher: Dispatcher
  readonly sync: SyncManager
  readonly producers: ProducerPeering
  readonly votes: WaitingVotes
  /** Transactions that were not executed because too many of a peer were in progress. */
  dropped_transactions: number
  /** Connections that this node could not make. */
  failed_connections: number
}
