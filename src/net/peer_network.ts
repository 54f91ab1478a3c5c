/** The network of the node: all its peers, and what they get of the chain. */
import type { Clock } from '../engine/clock.ts'
import type { Log } from '../engine/log.ts'
import type { Vote } from '../engine/protocol/vote.ts'
import { Connections } from './connections.ts'
import { Dispatcher, type SentBlock, type SentTransaction } from './dispatcher.ts'
import { Listeners } from './listeners.ts'
import {
  MAX_ALL_BLOCKS_IN_PROGRESS,
  MAX_ALL_TRANSACTIONS_IN_PROGRESS,
  MAX_BLOCKS_IN_PROGRESS,
  MAX_TRANSACTIONS_IN_PROGRESS,
  type NetworkOptions,
} from './network_options.ts'
import { NetworkState } from './network_state.ts'
import type { PeerChain } from './peer_chain.ts'
import { ProducerPeering, type Schedule } from './producers/producer_peering.ts'
import { ReadTurns } from './read_turns.ts'
import { receiveVotesOn } from './receive/vote.ts'
import { SharedMemory } from './shared_memory.ts'
import { SyncManager } from './sync_manager.ts'
import { WaitingVotes } from './waiting_votes.ts'

/** What the network is made from. */
export interface NetworkDependencies {
  chain: PeerChain
  clock: Clock
  log: Log
  /** 32 random bytes; tests give others. */
  node_id?: Uint8Array
}

/** The network of the node. */
export class PeerNetwork {
  readonly state: NetworkState
  readonly dispatcher: Dispatcher
  readonly sync: SyncManager
  readonly connections: Connections
  readonly turns: ReadTurns
  readonly producers: ProducerPeering
  readonly votes = new WaitingVotes()
  readonly block_memory = new SharedMemory(MAX_ALL_BLOCKS_IN_PROGRESS, MAX_BLOCKS_IN_PROGRESS)
  readonly transaction_memory = new SharedMemory(
    MAX_ALL_TRANSACTIONS_IN_PROGRESS,
    MAX_TRANSACTIONS_IN_PROGRESS,
  )
  dropped_transactions = 0
  failed_connections = 0
  private readonly listeners = new Listeners()
  private is_started = false

  constructor(options: NetworkOptions, deps: NetworkDependencies) {
    const node_id = deps.node_id ?? crypto.getRandomValues(new Uint8Array(32))
    this.state = new NetworkState(options, { ...deps, node_id })
    this.turns = new ReadTurns(() => this.state.now_us)
    this.dispatcher = new Dispatcher(this.state)
    this.sync = new SyncManager(this.state, this.dispatcher)
    this.connections = new Connections(this)
    this.producers = new ProducerPeering(this.state, this.sync, this.connections)
  }

  /** Opens the addresses. Connections are taken after {@link start}.
   *  @throws Error of the system for an address that cannot be opened */
  async listen(): Promise<void> {
    await this.listeners.open(
      this.state.options.listeners,
      (socket, listener) => {
        if (this.is_started) this.connections.accept(socket, listener)
        else socket.destroy()
      },
      (address, { message }) =>
        this.state.log('warn', `cannot listen for peers on ${address}: ${message}`),
    )
  }

  /** The addresses that are open. */
  addresses(): { host: string; port: number }[] {
    return this.listeners.addresses()
  }

  /** Connects to the peers that the operator gave. */
  start(): void {
    this.is_started = true
    this.connections.start()
  }

  /** Ends all connections and closes the addresses. */
  async stop(): Promise<void> {
    this.connections.stop()
    await this.listeners.close()
  }

  /** A block is the head. @param age_us time since the time of the block */
  blockApplied(block: SentBlock, block_num: number, age_us: number): void {
    this.state.tasks.run(() => {
      // An irreversible one was given to peers when it came.
      const gives = !this.sync.catching_up && !this.state.chain.executes_irreversible
      if (gives) this.dispatcher.sendBlock(block)
      this.sync.applied(block.id, block_num, age_us)
    })
    void receiveVotesOn(this, block.id)
  }

  /** The schedules of producers after a block. @param pending undefined if there is none */
  scheduled(active: Schedule, pending: Schedule | undefined): void {
    this.state.tasks.run(() => this.producers.scheduled(active, pending))
  }

  /** Keys that producers registered for peers changed. */
  producerKeysChanged(): void {
    this.state.tasks.run(() => this.producers.keysChanged())
  }

  /** A finalizer of this node voted. */
  voteCast(vote: Vote): void {
    this.state.tasks.run(() => {
      if (!this.sync.catching_up) this.dispatcher.sendVote(vote)
    })
  }

  /** A transaction was executed here. */
  transactionAccepted(transaction: SentTransaction): void {
    this.state.tasks.run(() => this.dispatcher.sendTransaction(transaction))
  }
}
