/** Addresses of block producers. spring: plugins/net_plugin/include/eosio/net_plugin/gossip_bps_index.hpp */
import { bytesEqual } from '../../engine/protocol/hex.ts'
import type { BpPeer, BpPeerInfo } from '../../engine/protocol/net/message.ts'

/** Most addresses of one producer. spring: max_bp_gossip_peers_per_producer */
export const MAX_ADDRESSES = 8

/** An address that its producer signed, with what it says. */
export interface GossipAddress extends BpPeer {
  info: BpPeerInfo
}

/** The addresses that block producers sent each other. */
export class GossipAddresses {
  /** By producer, address and IP address. */
  private readonly known = new Map<string, GossipAddress>()

  /** In the order in which they are sent and shown. */
  list(): GossipAddress[] {
    return [...this.known.values()].sort(compare)
  }

  /**
   * What peers are sent: each address once, because they refuse others. A producer whose IP address changed has
   * two entries of the same address, until the older one expires.
   */
  messages(): GossipAddress[] {
    const newest = new Map<string, GossipAddress>()
    for (const address of this.list()) {
      const key = JSON.stringify([String(address.producer_name), address.info.server_endpoint])
      const other = newest.get(key)
      if (other === undefined || other.info.expiration < address.info.expiration) {
        newest.set(key, address)
      }
    }
    return [...newest.values()]
  }

  /** What these producers sent. */
  of(producers: ReadonlySet<bigint>): GossipAddress[] {
    return this.list().filter(({ producer_name }) => producers.has(producer_name))
  }

  /** Whether this address with this signature is known. */
  has(address: GossipAddress): boolean {
    const known = this.known.get(keyOf(address))
    return (
      known !== undefined &&
      bytesEqual(known.sig, address.sig) &&
      bytesEqual(known.bp_peer_info, address.bp_peer_info)
    )
  }

  /** Adds addresses whose signatures were verified. Returns whether anything is new. */
  add(addresses: readonly GossipAddress[]): boolean {
    let is_new = false
    for (const address of addresses) {
      const known = this.known.get(keyOf(address))
      if (known === undefined) this.makeRoom(address.producer_name)
      else if (bytesEqual(known.sig, address.sig)) continue
      else if (address.info.expiration < known.info.expiration) continue
      this.known.set(keyOf(address), address)
      is_new = true
    }
    return is_new
  }

  /** Adds or replaces an address of this node. */
  set(address: GossipAddress): void {
    this.known.set(keyOf(address), address)
  }

  /** Forgets addresses that expired. @param slot the time of the head */
  expire(slot: number): void {
    for (const [key, { info }] of this.known) if (info.expiration <= slot) this.known.delete(key)
  }

  /** The address of the producer that expires first gives way. */
  private makeRoom(producer: bigint): void {
    const own = this.list().filter(({ producer_name }) => producer_name === producer)
    if (own.length < MAX_ADDRESSES) return
    const first = own.reduce((a, b) => (b.info.expiration < a.info.expiration ? b : a))
    this.known.delete(keyOf(first))
  }
}

function keyOf({ producer_name, info }: GossipAddress): string {
  return JSON.stringify([String(producer_name), info.server_endpoint, info.outbound_ip_address])
}

function compare(a: GossipAddress, b: GossipAddress): number {
  return (
    compareValues(a.producer_name, b.producer_name) ||
    compareValues(a.info.server_endpoint, b.info.server_endpoint) ||
    compareValues(a.info.outbound_ip_address, b.info.outbound_ip_address)
  )
}

function compareValues<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
