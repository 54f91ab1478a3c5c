import { createServer, type Server } from 'node:http'
import { rmSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Address, ServerOptions } from './server_options.ts'

/** Most bytes of the headers of one request. */
const MAX_HEADER_BYTES = 16 * 1024

/** Opens one address; answers when it is listening.
 *  @throws Error of node:net, for example EADDRINUSE */
export async function listen(address: Address, options: ServerOptions): Promise<Server> {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: options.request_timeout_ms,
    headersTimeout: options.request_timeout_ms,
    connectionsCheckingInterval: Math.min(options.request_timeout_ms, 5_000),
    keepAlive: options.keep_alive,
  })
  server.maxConnections = options.max_connections
  if (!options.keep_alive) server.maxRequestsPerSocket = 1
  // A socket file that a killed node left is in the way; the data folder's lock keeps out a live one.
  if ('path' in address) rmSync(address.path, { force: true })
  server.listen('path' in address ? { path: address.path } : address)
  await once(server, 'listening')
  return server
}

/** The address as a user would write it; with the port that was picked for port 0. */
export function addressText(server: Server): string {
  const address = server.address() as AddressInfo | string
  if (typeof address === 'string') return `unix:${address}`
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

/** Whether only this machine can reach the address. */
export function isLoopback(address: Address): boolean {
  if ('path' in address) return true
  return /^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(address.host)
}

/**
 * The values of the Host header that name this listener, lower case. Browsers on this machine may
 * call a loopback address by any of its names; nothing else may, so that a foreign page cannot
 * reach the node by a name of its own that points here.
 */
export function hostNames(
  server: Server,
  address: Address,
  aliases: readonly string[],
): Set<string> {
  const names = new Set(aliases.map((alias) => alias.toLowerCase()))
  if ('path' in address) return names.add('localhost')
  const { port, address: ip } = server.address() as AddressInfo
  const anywhere = ip === '::' || ip === '0.0.0.0'
  const hosts = [address.host, ip.includes(':') ? `[${ip}]` : ip]
  if (isLoopback(address) || anywhere) hosts.push('localhost', '127.0.0.1', '[::1]')
  for (const host of hosts) {
    names.add(`${host.toLowerCase()}:${port}`)
    if (port === 80) names.add(host.toLowerCase())
  }
  return names
}
