import type { RequestListener, Server as HttpServer } from 'node:http'
import type { ServedEngine } from '../engine/index.ts'
import { AnswerCache } from './answer_cache.ts'
import { createApp } from './app.ts'
import { connectionLimit, openFilesLimit } from './connection_limit.ts'
import { DirectConnections } from './direct_connections.ts'
import { DirectReads } from './direct_reads.ts'
import { directRequests } from './direct_requests.ts'
import { Documents } from './documents.ts'
import { Failures } from './failures.ts'
import { hostNames } from './host_check.ts'
import { lateListener } from './late_listener.ts'
import { addressText, listen } from './listeners.ts'
import { HttpMetrics } from './metrics.ts'
import { Operations } from './operations.ts'
import { InFlight } from './request_guard.ts'
import type { ServerOptions } from './server_options.ts'

export { isLoopback } from './host_check.ts'
export { checkAddresses } from './listeners.ts'
export type { Category, ListenerOptions, ServerOptions } from './server_options.ts'
export { CATEGORIES, CONTROL, EVERYWHERE, LOCAL } from './server_options.ts'

/** The time for which a stop waits for requests in progress. */
const STOP_MS = 500

/** After this time an address can answer all requests without a wait: short reads are answered at once. */
const LOAD_APP_MS = 400

/** The parts of the node that the server uses. */
export interface ServerDependencies {
  engine: ServedEngine
  /** Folder of openapi.json and docs.html. */
  documents: string
  log: (level: 'warn' | 'error', message: string) => void
}

/** The node's HTTP side: every listener with its app. */
export class Server {
  /** The addresses as text, in the order of the options. */
  readonly addresses: string[]
  private readonly servers: HttpServer[]

  private constructor(servers: HttpServer[]) {
    this.servers = servers
    this.addresses = servers.map(addressText)
  }

  /**
   * Opens all addresses. If one fails, the others are closed again.
   * @throws ListenError
   */
  static async start(options: ServerOptions, deps: ServerDependencies): Promise<Server> {
    const shared = {
      ...deps,
      documents: new Documents(deps.documents),
      load: new InFlight(),
      // One cache for all listeners, because an operation on one of them may change the answers of
      // another.
      cache: new AnswerCache(() => deps.engine.chain.version),
      metrics: new HttpMetrics(),
    }
    deps.engine.addMetrics(() => shared.metrics.metrics())
    const servers: HttpServer[] = []
    const { max_connections, listeners } = options
    const limit = connectionLimit(max_connections, listeners.length, openFilesLimit())
    try {
      for (const listener of options.listeners) {
        const { address, categories } = listener
        const opened = await listen(listener, { ...options, max_connections: limit })
        const { server, connections } = opened
        servers.push(server)
        const hosts = options.validate_host ? hostNames(address, options.host_aliases) : undefined
        // No request is read before this turn of the event loop ends.
        const failures = new Failures(options, shared)
        const operations = new Operations(deps.engine, categories)
        const direct = { ...shared, operations, failureOf: failures.of }
        const reads = new DirectReads(options, direct, categories)
        const app = lateListener(() =>
          createApp(options, { ...shared, failures, operations }, categories, hosts),
        )
        setTimeout(app.make, LOAD_APP_MS).unref()
        serveRequests(server, directRequests(options, reads, hosts, app.listener))
        if (options.keep_alive && !options.validate_responses) {
          new DirectConnections(server, options, connections, reads, hosts)
        }
      }
    } catch (error) {
      for (const server of servers) server.close()
      throw error
    }
    return new Server(servers)
  }

  /** Accepts no new requests, and waits a short time for those in progress. */
  async stop(): Promise<void> {
    await Promise.all(
      this.servers.map((server) => {
        // This also closes the connections that wait for a request.
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        const timer = setTimeout(() => server.closeAllConnections(), STOP_MS)
        return closed.finally(() => clearTimeout(timer))
      }),
    )
  }
}

/** A client that waits for `100 Continue` gets it where the body is read. */
function serveRequests(server: HttpServer, app: RequestListener): void {
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, app)
}
