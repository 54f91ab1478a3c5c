/**
 * Addresses of peers and of listeners: `host:port[:trx|:blk][:rate]`.
 * spring: plugins/net_plugin/include/eosio/net_plugin/net_utils.hpp
 */
import { isIP } from 'node:net'
import { check } from '../engine/errors.ts'

/** What a connection carries, if not blocks and transactions. */
export type AddressType = '' | 'trx' | 'blk'

/** The parts of an address. */
export interface PeerAddress {
  /** Without brackets. */
  host: string
  port: string
  type: AddressType
}

/** The parts of the address of a listener. */
export interface ListenAddress extends PeerAddress {
  /** The most that one peer may get while it syncs; bytes in a second, 0: no limit. */
  rate_limit: number
}

/** Longest address: a name, a port and a rate. */
export const MAX_ADDRESS_LENGTH = 253 + 6 + 30
/** Longest text of a handshake. */
export const MAX_HANDSHAKE_TEXT = 384

const MULTIPLIERS: Readonly<Record<string, number>> = {
  '': 1,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}

const MAX_PORT = 65_535

/** The parts of an address; undefined if it is not one. */
export function splitAddress(text: string): PeerAddress | undefined {
  const parts = partsOf(text)
  if (typeof parts === 'string') return undefined
  const { host, port, rest } = parts
  if (host === '' || !/^\d+$/.test(port) || Number(port) > MAX_PORT) return undefined
  return { host, port, type: typeOf(rest) }
}

/** The parts of the address of a listener.
 *  @throws ChainError plugin_config_exception for an address that is not one */
export function parseListenAddress(text: string): ListenAddress {
  const parts = partsOf(text)
  check(typeof parts !== 'string', 'plugin_config_exception', String(parts))
  const { host, port, rest } = parts
  check(
    host !== '' && port !== '',
    'plugin_config_exception',
    `Invalid address specification ${text}; host or port missing.`,
  )
  // The rate is what follows the last colon, the type what follows the port: neither is looked for elsewhere.
  const rate_limit = parseRate(rest.slice(rest.lastIndexOf(':') + 1))
  return { host, port, type: typeOf(rest), rate_limit }
}

/** `host:port`, for a handshake: an IPv6 address has no brackets in it. */
export function hostAndPort({ host, port }: Pick<PeerAddress, 'host' | 'port'>): string {
  return `${host}:${port}`
}

/** `host:port`, for a connection: an IPv6 address has brackets in it. */
export function addressText({ host, port }: Pick<PeerAddress, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Whether it is an IP address; one of IPv6 may have brackets. */
export function isIpAddress(text: string): boolean {
  return isIP(text.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** The parts, or why there are none. */
function partsOf(text: string): { host: string; port: string; rest: string } | string {
  if (text.length > MAX_ADDRESS_LENGTH) {
    return 'Address specification exceeds max p2p address length'
  }
  const address = text.trim()
  if (address === '') return 'Address specification is empty'
  const invalid = (why: string) => `Invalid address specification ${address}${why}`
  const colons = address.split(':').length - 1
  let host_end = 0
  if (address.startsWith('[')) {
    host_end = address.indexOf(']')
    if (host_end < 0) return invalid(', IPv6 no closing square bracket')
  } else if (colons >= 7) {
    return invalid('; IPv6 addresses must be enclosed in square brackets.')
  } else if (colons < 1 || colons > 3) {
    return invalid('; unexpected number of colons.')
  }
  const colon = address.indexOf(':', host_end + 1)
  if (colon < 0) return invalid('; missing port specification.')
  if (host_end !== 0 && host_end + 1 !== colon) return invalid("; unexpected character after ']'.")
  const host = host_end === 0 ? address.slice(0, colon) : address.slice(1, host_end)
  const after = address.slice(colon + 1)
  const colon2 = after.indexOf(':')
  if (colon2 >= 0) return { host, port: after.slice(0, colon2), rest: after.slice(colon2 + 1) }
  // What follows the digits, such as the name of a node in a handshake, is not a port.
  return { host, port: /^\d*/.exec(after)![0], rest: '' }
}

function typeOf(rest: string): AddressType {
  const type = rest.slice(0, 3)
  return type === 'trx' || type === 'blk' ? type : ''
}

/** What a number may consist of, and its unit. What follows a space is not read. */
const RATE = /^\s*([-+]?\d*\.?\d*(?:(?<=\d\.?)e[-+]?\d*)?)\s*(\S*)/i

/**
 * spring: parse_connection_rate_limit. A number alone is bytes in a second, as its help says. Without a number, or
 * with one of an incomplete exponent, there is no limit: a type may stand there.
 */
function parseRate(text: string): number {
  const [, number, unit] = RATE.exec(text)!
  const limit = Number(number)
  check(
    !(limit < 0),
    'plugin_config_exception',
    `block sync rate limit must not be negative: ${text}`,
  )
  if (!(limit > 0 && limit < Infinity)) return 0
  const prefix = unit === '' ? '' : /^(.*)B\/s$/.exec(unit!)?.[1]
  const factor = prefix === undefined ? undefined : MULTIPLIERS[prefix]
  check(
    factor !== undefined,
    'plugin_config_exception',
    `invalid block sync rate limit specification: ${unit}`,
  )
  const rate = Math.floor(limit * factor)
  check(
    rate < 2 ** 64,
    'plugin_config_exception',
    `block sync rate limit specification overflowed: ${text}`,
  )
  return rate
}
