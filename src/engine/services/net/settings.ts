import { SECOND_US } from '../../protocol/constants.ts'
import { hostname } from 'node:os'
import {
  MAX_ADDRESS_LENGTH,
  MAX_HANDSHAKE_TEXT,
  parseListenAddress,
  splitAddress,
} from '../../../net/address.ts'
import type {
  AllowedConnections,
  ListenerOptions,
  NetworkOptions,
} from '../../../net/network_options.ts'
import { privateKeyFromString } from '../../crypto/keys.ts'
import { check } from '../../errors.ts'
import { OptionError } from '../../options/option_error.ts'
import type { OptionReader } from '../../options/option_reader.ts'
import { parsed } from '../../options/option_text.ts'
import { toHex, utf8ToBytes } from '../../protocol/hex.ts'
import { comparePublicKeys, publicKeyFromString } from '../../protocol/key.ts'
import type { NodeFacts } from '../service.ts'
import { gossipEndpoints, producerAddresses } from './producer_addresses.ts'

const DEFAULT_LISTENER = '0.0.0.0:9876:0'
/** Hosts that mean every address of this machine. */
const EVERY_ADDRESS = ['', '0.0.0.0', '::']

/** The settings of the network that follow from the options.
 *  @throws OptionError for every value that is wrong */
export function netSettings(values: OptionReader, node: NodeFacts): NetworkOptions {
  const agent_name = values.text('agent-name')!
  if (utf8ToBytes(agent_name).length > MAX_HANDSHAKE_TEXT) {
    throw new OptionError(`agent-name too long, must be less than ${MAX_HANDSHAKE_TEXT}`)
  }
  const allowed = allowedConnections(values.list('allowed-connection'))
  if (allowed.specified && values.list('peer-key').length === 0) {
    throw new OptionError("At least one peer-key must accompany 'allowed-connection=specified'")
  }
  return {
    listeners: listeners(values, node.development),
    peers: peers(values),
    producer_addresses: producerAddresses(values),
    gossip: gossipEndpoints(values, node),
    max_nodes_per_host: values.integer('p2p-max-nodes-per-host'),
    max_clients: values.integer('max-clients'),
    accept_transactions: values.bool('p2p-accept-transactions'),
    // A producer needs votes. spring: chain_plugin.cpp (accept_votes)
    accept_votes: values.integer('vote-threads') > 0 || node.producers.length > 0,
    disable_block_nack: values.bool('p2p-disable-block-nack'),
    dedup_cache_expire_us: values.integer('p2p-dedup-cache-expire-time-sec') * SECOND_US,
    keepalive_us: values.integer('p2p-keepalive-interval-ms') * 1000,
    connection_cleanup_us: values.integer('connection-cleanup-period') * SECOND_US,
    sync_fetch_span: values.integer('sync-fetch-span'),
    sync_peer_limit: values.integer('sync-peer-limit'),
    agent_name,
    allowed,
    peer_keys: new Set(
      values
        .list('peer-key')
        .map((text) => toHex(parsed('peer-key', unquoted(text), publicKeyFromString))),
    ),
    private_keys: privateKeys(values),
  }
}

function listeners(values: OptionReader, development: boolean): ListenerOptions[] {
  const given = values.isGiven('p2p-listen-endpoint')
    ? values.list('p2p-listen-endpoint')
    : development
      ? []
      : [DEFAULT_LISTENER]
  // An empty value means that the node does not listen.
  const texts = given[0] === '' ? [] : [...new Set(given)].sort()
  const public_addresses = values.list('p2p-server-address')
  if (public_addresses.length > texts.length) {
    throw new OptionError(
      'p2p-server-address may not be specified more times than p2p-listen-endpoint',
    )
  }
  return texts.map((text, i) => {
    const address = parsed('p2p-listen-endpoint', text, parseListenAddress)
    if (splitAddress(text) === undefined) {
      throw new OptionError(`p2p-listen-endpoint ${text}: the port is not a number up to 65535`)
    }
    const public_address = public_addresses[i]
    if (public_address !== undefined) checkAddress('p2p-server-address', public_address)
    return { text, address, public_address: public_address ?? ownAddress(text) }
  })
}

/** The address that peers see, where none is given. */
function ownAddress(text: string): string {
  const { host, port, type } = splitAddress(text)!
  if (!EVERY_ADDRESS.includes(host)) return text
  return `${hostname()}:${port}${type === '' ? '' : `:${type}`}`
}

function peers(values: OptionReader): readonly string[] {
  const texts = values.list('p2p-peer-address')
  for (const text of texts) checkAddress('p2p-peer-address', text)
  return texts
}

function checkAddress(option: string, text: string): void {
  if (text.length > MAX_ADDRESS_LENGTH) {
    throw new OptionError(`${option} ${text} too long, must be less than ${MAX_ADDRESS_LENGTH}`)
  }
  if (splitAddress(text) !== undefined) return
  throw new OptionError(`Invalid ${option} ${text}, syntax host:port:[trx|blk]`)
}

function allowedConnections(values: readonly string[]): AllowedConnections {
  let allowed = { any: false, producers: false, specified: false }
  for (const value of values.length === 0 ? ['any'] : values) {
    if (value === 'none') allowed = { any: false, producers: false, specified: false }
    else if (value in allowed) allowed = { ...allowed, [value]: true }
    else {
      throw new OptionError(
        `allowed-connection is any, producers, specified or none, not "${value}"`,
      )
    }
  }
  return allowed
}

function privateKeys(values: OptionReader): NetworkOptions['private_keys'] {
  const keys = values
    .list('peer-private-key')
    .map((text) => parsed('peer-private-key', text, keyPair, 'with its key'))
  return keys.toSorted((a, b) => comparePublicKeys(a.public_key, b.public_key))
}

/** Reads `["PUBLIC","PRIVATE"]`. */
function keyPair(text: string): NetworkOptions['private_keys'][number] {
  const pair = JSON.parse(text) as unknown
  const is_pair =
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string')
  check(is_pair, 'plugin_config_exception', 'expected a public and a private key in a JSON array')
  const [public_key, key] = pair as [string, string]
  return { public_key: publicKeyFromString(public_key), key: privateKeyFromString(key) }
}

/** The reference reads keys as JSON, where texts have quotes. */
function unquoted(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? text
}
