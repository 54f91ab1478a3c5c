/**
 * Serves a chain in process by HTTP. A module of its own, because the server is loaded only if it is asked for.
 */
import { fileURLToPath } from 'node:url'
import type { ServedEngine } from '../engine/index.ts'
import { Server } from '../server/index.ts'
import type { ServerOptions } from '../server/index.ts'

/** An address that serves a chain. */
export interface Listening {
  /** `http://127.0.0.1:8888` */
  readonly url: string
  /** Closes the address; requests in progress are answered. */
  close(): Promise<void>
}

/** Beside the sources and beside the library alike. */
const DOCUMENTS = fileURLToPath(new URL('../../generated', import.meta.url))
const LOOPBACK = '127.0.0.1'

/**
 * @internal Opens an address of this machine.
 * @param port 0: one that is free
 * @throws ListenError the port is in use
 */
export async function listen(engine: ServedEngine, port: number): Promise<Listening> {
  const options: ServerOptions = {
    listeners: [
      {
        address: { host: LOOPBACK, port },
        option: `listen(${port})`,
        categories: new Set(['node', 'chain_info', 'chain_ro', 'chain_rw']),
      },
    ],
    // Pages of wallets and explorers come from other origins.
    cors: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
    control_origins: new Set(),
    validate_host: true,
    host_aliases: [],
    max_body_size: 2 ** 20 * 2,
    max_bytes_in_flight: 2 ** 20 * 500,
    max_requests_in_flight: Infinity,
    max_connections: 1000,
    request_timeout_ms: 30_000,
    keep_alive: true,
    verbose_errors: true,
    http_threads: 0,
    spare_processors: false,
    validate_responses: false,
  }
  const log = (_level: string, message: string): void => void process.emitWarning(message)
  const server = await Server.start(options, { engine, documents: DOCUMENTS, log })
  const [address = ''] = server.addresses
  return {
    url: /^\w+:\/\//.test(address) ? address : `http://${address}`,
    close: () => server.stop(),
  }
}
