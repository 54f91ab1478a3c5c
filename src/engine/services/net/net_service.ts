import type { NetworkOptions } from '../../../net/network_options.ts'
import { PeerNetwork } from '../../../net/peer_network.ts'
import { isSystemError } from '../../store/file.ts'
import type { Chain } from '../../chain/chain.ts'
import type { BlockState } from '../../chain/headers/block_state.ts'
import type { Clock } from '../../clock.ts'
import { fail } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { slotToUs } from '../../protocol/time.ts'
import type { Metric } from '../metric.ts'
import type { Producer } from '../production/producer.ts'
import type { Service } from '../service.ts'
import { BlockIntake } from './block_intake.ts'
import { ChainPort } from './chain_port.ts'
import { networkMetrics } from './metrics.ts'
import { connectionStatus, type ConnectionStatus } from './status.ts'

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

/** The peer-to-peer network of the node, joined with its chain. */
export class NetService implements Service {
  readonly network: PeerNetwork
  private readonly deps: NetDependencies
  private readonly intake: BlockIntake

  constructor(options: NetworkOptions, deps: NetDependencies) {
    this.deps = deps
    this.intake = new BlockIntake(deps)
    const { clock, log } = deps
    const chain = new ChainPort({ ...deps, intake: this.intake })
    this.network = new PeerNetwork(options, { chain, clock, log })
    this.follow()
  }

  private follow(): void {
    const { chain, producer } = this.deps
    const { network } = this
    this.intake.follow()
    chain.events.on('blockAccepted', (block) => this.applied(block))
    chain.events.on('voteCast', (vote) => network.voteCast(vote))
    producer.onExecuted = ({ id, trx, packed }) =>
      network.transactionAccepted({ id, expiration: trx.expiration, packed })
    producer.loop.heldBack = () => {
      if (network.sync.catching_up) return 'irreversible blocks of peers are missing here'
      return this.intake.is_behind ? 'blocks of peers wait to be executed' : undefined
    }
  }

  private applied({
    id,
    previous,
    producer,
    packed_block,
    block_num,
    timestamp,
  }: BlockState): void {
    const age_us = this.deps.clock.now() - slotToUs(timestamp)
    this.network.blockApplied({ id, previous, producer, packed: packed_block }, block_num, age_us)
  }

  /** Opens the addresses for peers.
   *  @throws ChainError plugin_config_exception for an address that cannot be opened */
  async listen(): Promise<void> {
    try {
      await this.network.listen()
    } catch (error) {
      if (!isSystemError(error)) throw error
      fail('plugin_config_exception', `p2p-listen-endpoint: cannot listen: ${error.message}`)
    }
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

  /** Connects to a peer. Returns what came of it, as the reference words it. */
  connect(address: string): string {
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

  /** Addresses that block producers told each other: none, as on every node that takes no part. */
  gossipPeers(): GossipPeer[] {
    return []
  }

  /** All connections, in the order in which they were made. */
  connections(): ConnectionStatus[] {
    return [...this.network.connections].map(connectionStatus)
  }
}
