/**
 * The check of the Host header. It protects against DNS rebinding: a web page may reach this node
 * through a foreign name that resolves to its address, and then the header has that name. Ports are
 * not compared, because they may be forwarded.
 * spring: plugins/http_plugin/include/eosio/http_plugin/common.hpp host_is_valid
 */
import type { Address } from '../engine/index.ts'

const OF_THIS_MACHINE = ['localhost', '127.0.0.1', '::1']
const ANYWHERE = ['::', '0.0.0.0']

/** Whether only this machine can reach the address. */
export function isLoopback(address: Address): boolean {
  if ('path' in address) return true
  return /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(address.host)
}

/** The names of a listener; undefined where the header is not checked: no page reaches a socket file.
 *  @param aliases further names, with or without a port */
export function hostNames(address: Address, aliases: readonly string[]): Set<string> | undefined {
  if ('path' in address) return undefined
  const names = new Set([address.host.toLowerCase(), ...aliases.map(hostName)])
  if (isLoopback(address) || ANYWHERE.includes(address.host)) {
    for (const name of OF_THIS_MACHINE) names.add(name)
  }
  return names
}

/**
 * @param host the header, if there is one
 * @param local_address where the connection arrived: always a right name
 */
export function hostAllowed(
  host: string | undefined,
  names: ReadonlySet<string>,
  local_address: string | undefined,
): boolean {
  if (!host) return false
  const name = hostName(host)
  return names.has(name) || name === localName(local_address)
}

/** The name that a Host header has for the address where its connection arrived. */
export function localName(local_address: string | undefined): string | undefined {
  return local_address?.replace(/^::ffff:(?=\d+\.)/, '')
}

/** `NAME`, `NAME:PORT`, `[IPV6]` or `[IPV6]:PORT` without its port and brackets, lower case. */
export function hostName(text: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(text)
  return (match?.[1] ?? match?.[2] ?? text).toLowerCase()
}
