import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkAddress, listenOn } from '../engine/index.ts'
import { Connections } from './connections.ts'
import { SOCKET_OPTIONS } from './socket_options.ts'
import type { ListenerOptions, ServerOptions } from './server_options.ts'
import { OpenCount } from './threads/shared_counts.ts'

/** Most bytes of the headers of one request. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Checks that every address can be opened, and closes all of them again. They are opened later,
 * when the node can answer; a connection that is accepted earlier would only wait.
 * @throws ListenError
 */
export async function checkAddresses(options: ServerOptions): Promise<void> {
  for (const { address, option } of options.listeners) await checkAddress(address, option)
}

/** An open address. */
export interface OpenAddress {
  server: Server
  connections: Connections
  count: OpenCount
}

/** Opens one address; answers when it is listening.
 *  @throws ListenError */
export async function listen(
  { address, option }: ListenerOptions,
  options: ServerOptions,
): Promise<OpenAddress> {
  const server = createHttpServer(options)
  const count = new OpenCount()
  const connections = new Connections(options, count)
  connections.watch(server)
  await listenOn(server, address, option)
  return { server, connections, count }
}

function createHttpServer(options: ServerOptions): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    ...SOCKET_OPTIONS,
    // Whether there must be one is for the check of the Host header to say.
    requireHostHeader: false,
  })
  // A client that closes its sending side after the request still gets its answer, as with `nc -N`.
  // Node.js has this option, but does not document it.
  Object.assign(server, { httpAllowHalfOpen: true })
  if (!options.keep_alive) server.maxRequestsPerSocket = 1
  return server
}

/** The address as a user would write it; with the port that was picked for port 0. */
export function addressText(server: Server): string {
  const address = server.address() as AddressInfo | string
  if (typeof address === 'string') return `unix:${address}`
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
