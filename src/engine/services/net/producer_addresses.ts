/**
 * The options about block producers.
 * spring: plugins/net_plugin/include/eosio/net_plugin/auto_bp_peering.hpp (set_configured_bp_peers,
 * set_bp_producer_peers)
 */
import { isIpAddress, splitAddress, type PeerAddress } from '../../../net/address.ts'
import type { GossipEndpoint } from '../../../net/network_options.ts'
import { MAX_ADDRESSES } from '../../../net/producers/gossip_addresses.ts'
import { ChainError } from '../../errors.ts'
import { OptionError } from '../../options/option_error.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import { nameFromString } from '../../protocol/name.ts'
import type { NodeFacts } from '../service.ts'

const CONFIGURED = 'p2p-auto-bp-peer'
const GOSSIP = 'p2p-bp-gossip-endpoint'

/** Reads `p2p-auto-bp-peer`. @throws OptionError */
export function producerAddresses(values: OptionReader): Map<bigint, PeerAddress> {
  const peers = values.list('p2p-peer-address')
  const addresses = new Map<bigint, PeerAddress>()
  for (const entry of values.list(CONFIGURED)) {
    const [name, text] = cut(entry)
    if (text === undefined) {
      const syntax = 'must consist of an account name and server address separated by a comma'
      throw new OptionError(`${CONFIGURED} ${entry} ${syntax}`)
    }
    const producer = producerName(CONFIGURED, name)
    const address = splitAddress(text)
    if (address === undefined) {
      throw new OptionError(`Invalid ${CONFIGURED} ${text}, syntax host:port:[trx|blk]`)
    }
    if (peers.includes(text)) {
      throw new OptionError(
        `"${text}" should only appear in either p2p-peer-address or ${CONFIGURED} option, not both.`,
      )
    }
    addresses.set(producer, address)
  }
  return addresses
}

/** Reads `p2p-bp-gossip-endpoint`. @throws OptionError */
export function gossipEndpoints(
  values: OptionReader,
  { signing_keys }: Pick<NodeFacts, 'signing_keys'>,
): Map<bigint, GossipEndpoint[]> {
  const all = new Map<bigint, GossipEndpoint[]>()
  for (const entry of values.list(GOSSIP)) {
    const [name, rest] = cut(entry)
    const [server, ip] = rest === undefined ? [] : cut(rest)
    if (server === undefined || ip === undefined) {
      const syntax =
        'must consist of bp-account-name,inbound-server-endpoint,outbound-ip-address separated by commas'
      throw new OptionError(`${GOSSIP} ${entry} ${syntax}`)
    }
    const producer = producerName(GOSSIP, name)
    const endpoints = all.get(producer) ?? []
    all.set(producer, endpoints)
    endpoints.push(endpointOf(server.trim(), ip.trim()))
    checkDistinct(name, endpoints)
  }
  if (all.size > 0 && signing_keys.size === 0) {
    throw new OptionError(`signature-provider of associated key required for ${GOSSIP}`)
  }
  return all
}

function endpointOf(server_endpoint: string, outbound_ip_address: string): GossipEndpoint {
  const address = splitAddress(server_endpoint)
  if (address === undefined || address.type !== '') {
    throw new OptionError(
      `Invalid ${GOSSIP} inbound server endpoint ${server_endpoint}, syntax host:port`,
    )
  }
  if (!isIpAddress(outbound_ip_address)) {
    throw new OptionError(
      `Invalid ${GOSSIP} outbound ip address ${outbound_ip_address}, syntax ip-address`,
    )
  }
  return { server_endpoint, outbound_ip_address }
}

/** Peers refuse two entries of a producer with the same address. */
function checkDistinct(name: string, endpoints: readonly GossipEndpoint[]): void {
  for (const field of ['server_endpoint', 'outbound_ip_address'] as const) {
    if (new Set(endpoints.map((endpoint) => endpoint[field])).size === endpoints.length) continue
    const what = field === 'server_endpoint' ? 'inbound server endpoint' : 'outbound ip address'
    throw new OptionError(`Duplicate ${GOSSIP} for: ${name}, ${what}: ${endpoints.at(-1)![field]}`)
  }
  if (endpoints.length > MAX_ADDRESSES) {
    throw new OptionError(`Too many ${GOSSIP} for ${name}, max ${MAX_ADDRESSES}`)
  }
}

/** What is before and after the first comma. */
function cut(text: string): [string, string | undefined] {
  const comma = text.indexOf(',')
  return comma < 0 ? [text, undefined] : [text.slice(0, comma), text.slice(comma + 1)]
}

function producerName(option: string, text: string): bigint {
  try {
    return nameFromString(text)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw new OptionError(`The account ${text} supplied by --${option} option is invalid`)
  }
}
