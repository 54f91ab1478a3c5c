import { rmSync } from 'node:fs'
import type { RequestListener, Server as HttpServer } from 'node:http'
import type { ServedEngine, Log, ReadAccess } from '../engine/index.ts'
import { AnswerCache } from './answer_cache.ts'
import { createApp } from './app.ts'
import { connectionLimit, openFilesLimit } from './connection_limit.ts'
import { serveDirectly } from './direct_connections.ts'
import { DirectReads } from './direct_reads.ts'
import { DirectSubmissions } from './direct_submissions.ts'
import { directRequests } from './direct_requests.ts'
import { Documents } from './documents.ts'
import { Failures } from './failures.ts'
import { hostNames } from './host_check.ts'
import { lateListener } from './late_listener.ts'
import { addressText, listen, type OpenAddress } from './listeners.ts'
import { HttpMetrics } from './metrics.ts'
import { Operations } from './operations.ts'
import { InFlight } from './request_guard.ts'
import { HttpThreads } from './threads/http_threads.ts'
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
  log: Log
}

/** The node's HTTP side: every listener with its app. */
export class Server {
  /** The addresses as text, in the order of the options. */
  readonly addresses: string[]
  private readonly opened: OpenAddress[]

  readonly threads: HttpThreads

  private constructor(opened: OpenAddress[], threads: HttpThreads) {
    this.opened = opened
    this.threads = threads
    this.addresses = opened.map(({ server }) => addressText(server))
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
    const all: OpenAddress[] = []
    const { max_connections, listeners } = options
    const limit = connectionLimit(max_connections, listeners.length, openFilesLimit())
    const threads = new HttpThreads({ ...options, max_connections: limit }, shared)
    try {
      for (const listener of options.listeners) {
        const { address, categories } = listener
        const opened = await listen(listener, { ...options, max_connections: limit })
        const { server, connections, count } = opened
        all.push(opened)
        const hosts = options.validate_host ? hostNames(address, options.host_aliases) : undefined
        // No request is read before this turn of the event loop ends.
        const failures = new Failures(options, shared)
        const operations = new Operations(deps.engine, categories)
        const onAnswer = threads.countRead
        const direct = { ...shared, operations, failureOf: failures.of, onAnswer }
        const reads = new DirectReads(options, direct, categories)
        const app = lateListener(() =>
          createApp(options, { ...shared, failures, operations }, categories, hosts),
        )
        setTimeout(app.make, LOAD_APP_MS).unref()
        serveRequests(server, directRequests(options, reads, hosts, app.listener))
        if (options.keep_alive && !options.validate_responses) {
          const onChange = (): void => deps.engine.reads?.changed()
          const submit = async (prepared: Uint8Array): Promise<unknown> => {
            if (deps.engine.replacing) await deps.engine.replacing
            return deps.engine.reads!.submit(prepared)
          }
          const changing = { ...direct, onChange, submit }
          const submissions = new DirectSubmissions(options, changing, categories)
          serveDirectly(server, options, connections, reads, hosts, submissions)
          server.on('connection', threads.countConnection)
          threads.add({ server, open: count.buffer, categories, hosts, reads, submissions })
        }
      }
    } catch (error) {
      for (const { server } of all) server.close()
      throw error
    }
    return new Server(all, threads)
  }

  /** The engine has another chain now: threads read that. */
  chainReplaced(reads: ReadAccess): void {
    this.threads.readFrom(reads)
  }

  /** Accepts no new requests, and waits a short time for those in progress. */
  async stop(): Promise<void> {
    await this.threads.started()
    const stopped = this.threads.stop()
    // Connections that wait for a request are closed too.
    const closed = this.opened.map(({ server, connections }) => {
      if (!this.threads.areRunning) {
        return new Promise<void>((resolve) => server.close(() => resolve()))
      }
      // The socket must stay open as long as threads use it, which is until the process ends.
      server.unref()
      removeSocketFile(server)
      return connections.end()
    })
    const timer = setTimeout(() => {
      for (const { server } of this.opened) server.closeAllConnections()
      this.threads.destroy()
    }, STOP_MS)
    await Promise.all([...closed, stopped]).finally(() => clearTimeout(timer))
  }
}

/** A client that waits for `100 Continue` gets it where the body is read. */
function serveRequests(server: HttpServer, app: RequestListener): void {
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, app)
}

/** As the closing of a unix socket does: no more clients find it. */
function removeSocketFile(server: HttpServer): void {
  const address = server.address()
  if (typeof address === 'string') rmSync(address, { force: true })
}
