import { Listeners } from '../../../net/listeners.ts'
import type { NetworkOptions } from '../../../net/network_options.ts'
import { PeerNetwork } from '../../../net/peer_network.ts'
import type { SentBlock } from '../../../net/dispatcher.ts'
import type { Chain } from '../../chain/chain.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { Clock } from '../../clock.ts'
import { check } from '../../errors.ts'
import { listenFailure } from '../../listening.ts'
import type { Log } from '../../log.ts'
import { nameToString } from '../../protocol/name.ts'
import { slotToString, slotToUs } from '../../protocol/time.ts'
import type { Metric } from '../metric.ts'
import type { Producer } from '../production/producer.ts'
import type { Service } from '../service.ts'
import { BlockIntake } from './block_intake.ts'
import { ChainPort } from './chain_port.ts'
import { networkMetrics } from './metrics.ts'
import { PeerKeys } from './peer_keys.ts'
import { connectionStatus, textOf, type ConnectionStatus } from './status.ts'
import { TransactionIntake } from './transaction_intake.ts'

/** Nodes of the public chain refuse the blocks of a fork, which has the same chain id. */
export const FORK_HAS_NO_PEERS = 'this chain is a fork of a public chain, and a fork has no peers'

/** Where a block producer can be reached. */
export interface GossipPeer {
  producer_name: string
  server_endpoint: string
  outbound_ip_address: string
  expiration: string
}

/** The parts of the node that the network joins. */
export interface NetDependencies {
  chain: Chain
  producer: Producer
  clock: Clock
  log: Log
}

/** Opens the addresses for peers and closes them again. @throws ListenError */
export async function checkListeners({ listeners }: NetworkOptions): Promise<void> {
  const opened = new Listeners()
  await opened.open(listeners, (socket) => socket.destroy()).catch(failListening)
  await opened.close()
}

function failListening(error: unknown): never {
  throw listenFailure(error, 'p2p-listen-endpoint')
}

/** The peer-to-peer network of the node, joined with its chain. */
export class NetService implements Service {
  readonly network: PeerNetwork
  private readonly deps: NetDependencies
  private readonly intake: BlockIntake

  constructor(options: NetworkOptions, deps: NetDependencies) {
    this.deps = deps
    this.intake = new BlockIntake(deps)
    const { clock, log } = deps
    const peer_keys =
      options.gossip.size > 0 ? new PeerKeys(deps, new Set(options.gossip.keys())) : undefined
    const { intake } = this
    const transactions = new TransactionIntake({ ...deps, blocks: intake })
    const chain = new ChainPort({ ...deps, intake, transactions, peer_keys })
    this.network = new PeerNetwork(options, { chain, clock, log })
    peer_keys?.follow(() => this.network.producerKeysChanged())
    this.follow()
  }

  private follow(): void {
    const { chain, producer } = this.deps
    const { network } = this
    this.intake.follow()
    chain.events.on('blockStored', (block) => this.intake.whenStored(() => this.applied(block)))
    chain.events.on('voteCast', (vote) => network.voteCast(vote))
    producer.onExecuted = ({ id, trx, packed }) =>
      network.transactionAccepted({ id, expiration: trx.expiration, packed })
    producer.loop.permission.heldBack = () => {
      if (network.sync.catching_up)
        return 'this node does not have all irreversible blocks of its peers'
      return this.intake.is_behind ? 'blocks of peers wait to be executed' : undefined
    }
  }

  private applied(block: BlockState): void {
    const age_us = this.deps.clock.now() - slotToUs(block.timestamp)
    this.network.blockApplied(new BlockForPeers(block), block.block_num, age_us)
    this.network.scheduled(block.active_schedule, block.pending_schedule)
  }

  /** Opens the addresses for peers. @throws ListenError for an address that cannot be opened */
  async listen(): Promise<void> {
    await this.network.listen().catch(failListening)
    for (const { host, port } of this.network.addresses()) {
      this.deps.log('info', `listening for peers on ${host}:${port}`)
    }
  }

  start(): void {
    this.network.start()
  }

  async stop(): Promise<void> {
    await this.network.stop()
    await this.intake.stop()
  }

  metrics(): Metric[] {
    return networkMetrics(this.network)
  }

  /** Connects to a peer. Returns what came of it, as the reference words it.
   *  @throws ChainError unsupported_feature on a fork of a public chain */
  connect(address: string): string {
    check(!this.deps.chain.is_fork, 'unsupported_feature', FORK_HAS_NO_PEERS)
    return this.network.connections.connect(address)
  }

  /** Ends the connection to a peer. Returns what came of it, as the reference words it. */
  disconnect(address: string): string {
    return this.network.connections.disconnect(address)
  }

  /** The connection to an address; null if there is none. */
  status(address: string): ConnectionStatus | null {
    const connection = this.network.connections.find(address)
    return connection === undefined ? null : connectionStatus(connection)
  }

  /** Addresses that block producers sent each other; none on a node that takes no part. */
  gossipPeers(): GossipPeer[] {
    return this.network.producers.list().map(({ producer_name, info }) => ({
      producer_name: nameToString(producer_name),
      server_endpoint: textOf(info.server_endpoint),
      outbound_ip_address: textOf(info.outbound_ip_address),
      expiration: slotToString(info.expiration),
    }))
  }

  /** All connections, in the order in which they were made. */
  connections(): ConnectionStatus[] {
    return [...this.network.connections].map(connectionStatus)
  }
}

/** What peers are sent of a block. */
class BlockForPeers implements SentBlock {
  readonly id: Uint8Array
  readonly previous: Uint8Array
  readonly producer: bigint
  private readonly block: BlockState

  constructor(block: BlockState) {
    this.id = block.id
    this.previous = block.previous
    this.producer = block.producer
    this.block = block
  }

  /** Not read where there are no peers, so the signatures of the block are not waited for. */
  get packed(): Uint8Array {
    return this.block.packed_block
  }
}
