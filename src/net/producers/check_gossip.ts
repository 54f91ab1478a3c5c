/**
 * Checks of the addresses that a peer sends.
 * spring: plugins/net_plugin/include/eosio/net_plugin/auto_bp_peering.hpp (validate_gossip_bp_peers_message)
 */
import { sha256 } from '../../engine/crypto/hash.ts'
import { recoverKey } from '../../engine/crypto/keys.ts'
import { ChainError } from '../../engine/errors.ts'
import { bytesEqual } from '../../engine/protocol/hex.ts'
import { WA } from '../../engine/protocol/key.ts'
import { packBpPeer, unpackBpPeerInfo } from '../../engine/protocol/net/codec.ts'
import type { BpPeer } from '../../engine/protocol/net/message.ts'
import { Reader } from '../../engine/protocol/reader.ts'
import { Writer } from '../../engine/protocol/writer.ts'
import { MAX_ADDRESS_LENGTH, splitAddress } from '../address.ts'
import { MAX_ADDRESSES, type GossipAddress } from './gossip_addresses.ts'

/** Larger ones are of no use, and would be kept. */
const MAX_INFO_SIZE = 1024
/** Wrong signatures in a message. A few follow from keys that changed. */
const MAX_WRONG_SIGNATURES = 16

/** What the checks need. */
export interface GossipRules {
  chain_id: Uint8Array
  /** The key that a producer registered for peers. */
  keyOf: (producer: bigint) => Uint8Array | undefined
  /** Whether the address was checked before. */
  isKnown: (address: GossipAddress) => boolean
  /** Slots: the first and the last time at which an address may expire, exclusive. */
  expires_after: number
  expires_before: number
}

/** What a producer signs of an address. */
export function gossipDigest(chain_id: Uint8Array, peer: Omit<BpPeer, 'sig'>): Uint8Array {
  const w = new Writer()
  w.raw(chain_id)
  packBpPeer(w, peer)
  return sha256(w.view())
}

/** The first message of a connection: it names the producer alone. */
export function isGreeting(peers: readonly BpPeer[]): boolean {
  return peers.length === 1 && peers[0]!.bp_peer_info.length === 0
}

/** Whether a greeting is signed by its producer; undefined if no node sends it. */
export function checkGreeting(peer: BpPeer, rules: GossipRules): boolean | undefined {
  return isSignedByProducer(peer, rules)
}

/**
 * The addresses of a message that may be used: those that expired or whose key is not the producer's are
 * left out.
 * @returns undefined if no node sends such a message
 */
export function checkGossip(
  peers: readonly BpPeer[],
  rules: GossipRules,
): GossipAddress[] | undefined {
  const addresses = openAddresses(peers)
  if (addresses === undefined) return undefined
  const usable: GossipAddress[] = []
  let wrong = 0
  for (const address of addresses) {
    const { expiration } = address.info
    if (!rules.isKnown(address)) {
      if (expiration <= rules.expires_after || expiration >= rules.expires_before) continue
      const is_right = isSignedByProducer(address, rules)
      if (is_right === undefined) return undefined
      if (!is_right && ++wrong > MAX_WRONG_SIGNATURES) return undefined
      if (!is_right) continue
    }
    usable.push(address)
  }
  return usable
}

/** Undefined if their form or their order is wrong. */
function openAddresses(peers: readonly BpPeer[]): GossipAddress[] | undefined {
  const addresses: GossipAddress[] = []
  let repeated = 0
  for (const peer of peers) {
    const address = openAddress(peer)
    if (address === undefined) return undefined
    const previous = addresses.at(-1)
    if (previous?.producer_name === address.producer_name) {
      if (++repeated > MAX_ADDRESSES) return undefined
      if (previous.info.server_endpoint === address.info.server_endpoint) return undefined
    } else {
      if (previous !== undefined && previous.producer_name > address.producer_name) return undefined
      repeated = 0
    }
    addresses.push(address)
  }
  return addresses
}

function openAddress(peer: BpPeer): GossipAddress | undefined {
  if (peer.producer_name === 0n || peer.bp_peer_info.length > MAX_INFO_SIZE) return undefined
  try {
    const info = unpackBpPeerInfo(new Reader(peer.bp_peer_info))
    const address = splitAddress(info.server_endpoint)
    if (address === undefined || address.type !== '') return undefined
    if (info.outbound_ip_address.length > MAX_ADDRESS_LENGTH) return undefined
    // Messages are views of what was received, which is not kept.
    return { ...peer, bp_peer_info: peer.bp_peer_info.slice(), sig: peer.sig.slice(), info }
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/** Undefined for a signature that no node makes. */
function isSignedByProducer(peer: BpPeer, rules: GossipRules): boolean | undefined {
  if (peer.sig[0] === WA) return undefined
  const key = rules.keyOf(peer.producer_name)
  if (key === undefined) return false
  try {
    return bytesEqual(recoverKey(peer.sig, gossipDigest(rules.chain_id, peer), false), key)
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}
