/** The HTTP threads, as the chain's thread sees them. */
import type { Server as HttpServer } from 'node:http'
import type { Worker } from 'node:worker_threads'
import type { ReadAccess, ServedEngine, Log } from '../../engine/index.ts'
import { startThread } from '../../engine/start_thread.ts'
import type { HttpMetrics } from '../metrics.ts'
import type { InFlight } from '../request_guard.ts'
import type { ServerOptions } from '../server_options.ts'
import type {
  FromThread,
  HttpThreadData,
  ThreadListener,
  ToThread,
  TunnelMessage,
} from './messages.ts'
import { BusyLoop } from './busy_loop.ts'
import { ForwardedAnswers, type ForwardingListener } from './forwarded_answers.ts'
import { Rest } from './rest.ts'
import { SharedCounts } from './shared_counts.ts'
import { TunnelSocket } from './tunnel_socket.ts'

/** Reads after which the threads are started: a node that is seldom asked has none. */
const START_AFTER = 500

/**
 * Milliseconds. Many short requests have shorter turns of the event loop, and let clients connect. Where no processor
 * is left, threads that start under them take from them.
 */
const LONG_TURN_MS = 5

/** The parts of the server that the threads use. */
export interface HttpThreadsDependencies {
  engine: Pick<ServedEngine, 'reads'>
  load: InFlight
  metrics: HttpMetrics
  log: Log
}

/** An open address. */
export interface SharedListener extends Omit<ThreadListener, 'fd'>, ForwardingListener {
  server: HttpServer
}

interface HttpThread {
  worker: Worker
  rest: Rest
  release: () => void
  readFrom: (state: ReadAccess) => void
  counts: SharedCounts
  started: Promise<void>
  stopped: Promise<void>
}

/**
 * Starts HTTP threads when there are many reads, or when connections come while this thread is busy, and serves the
 * connections that they give back. A thread accepts one connection in a turn of its event loop, so contracts that take
 * long would keep clients from connecting.
 */
export class HttpThreads {
  private readonly options: ServerOptions
  private readonly deps: HttpThreadsDependencies
  private readonly listeners: SharedListener[] = []
  private readonly threads: HttpThread[] = []
  private readonly loop: BusyLoop
  private reads = 0
  /** Whether threads were started, or are not to be started any more. */
  private is_decided = false

  constructor(options: ServerOptions, deps: HttpThreadsDependencies) {
    this.loop = new BusyLoop(options.spare_processors ? 0 : LONG_TURN_MS)
    this.options = options
    this.deps = deps
  }

  /** Adds an address that the threads shall serve too. */
  add(listener: SharedListener): void {
    this.listeners.push(listener)
  }

  /** A read was answered by this thread; some start the threads, or end their rest. */
  countRead = (): void => {
    if (!this.canHelp || ++this.reads < START_AFTER) return
    this.reads = 0
    this.startOnce('there are many')
    for (const { rest } of this.threads) rest.end()
  }

  /** This thread has accepted a connection; if it is busy, this starts the threads, and they rest no more. */
  countConnection = (): void => {
    if (!this.canHelp || !this.loop.wasBusy()) return
    this.startOnce('the thread of the chain is busy')
    for (const { rest } of this.threads) rest.end(true)
  }

  /** Requests that the threads answered by themselves. */
  get answered(): number {
    let sum = 0
    for (const { counts } of this.threads) for (const [, count] of counts.entries()) sum += count
    return sum
  }

  /** Whether threads use the listening sockets. */
  get areRunning(): boolean {
    return this.threads.length > 0
  }

  /** Whether there are threads that rest: the system gives new connections to the others. */
  get areResting(): boolean {
    return this.threads.some(({ rest }) => rest.isActive)
  }

  /** Whether threads are still to be started, or rest. */
  private get canHelp(): boolean {
    return !this.is_decided || this.areResting
  }

  /** Threads that were started read another state from now on. */
  readFrom(state: ReadAccess): void {
    for (const thread of this.threads) thread.readFrom(state)
  }

  /** Resolves when the threads that were started have begun to listen; no more are started. */
  async started(): Promise<void> {
    this.is_decided = true
    await Promise.all(this.threads.map(({ started }) => started))
  }

  /** No new connections; resolves when all connections of the threads are closed. */
  async stop(): Promise<void> {
    this.tell({ kind: 'stop' })
    await Promise.all(this.threads.map(({ stopped }) => stopped))
    for (const { release } of this.threads) release()
  }

  /** Closes all connections at once. */
  destroy(): void {
    this.tell({ kind: 'destroy' })
  }

  private tell(message: ToThread): void {
    for (const { worker, rest } of this.threads) {
      worker.postMessage(message)
      rest.end(true)
    }
  }

  private startOnce(reason: string): void {
    if (this.is_decided) return
    this.is_decided = true
    const { reads } = this.deps.engine
    const { http_threads: count } = this.options
    if (!reads || count === 0 || this.listeners.length === 0) return
    for (let i = 0; i < count; i++) this.threads.push(this.start(reads))
    const started = Promise.all(this.threads.map((thread) => thread.started))
    void started.then(() => {
      this.deps.log('info', `HTTP threads answer reads, because ${reason}: ${count}`)
    })
  }

  private start(state: ReadAccess): HttpThread {
    const { load, metrics, log } = this.deps
    const { access, release } = state.open()
    const counts = new SharedCounts()
    const rest = new Rest()
    metrics.include(counts)
    const workerData: HttpThreadData = {
      access,
      reads: state.operations(),
      options: this.options,
      listeners: this.listeners.map(({ server, open, categories, hosts }) => ({
        ...{ fd: fdOf(server), open, categories, hosts },
      })),
      load: load.buffer,
      counts: counts.buffer,
      rest: rest.buffer,
    }
    const transferList = [access.port]
    const worker = startThread('./http_thread', import.meta.url, { workerData, transferList })
    const tunnels = new Map<number, TunnelSocket>()
    const post = (message: ToThread): void => worker.postMessage(message)
    const answers = new ForwardedAnswers(this.listeners, (answers) =>
      post({ kind: 'answers', answers }),
    )
    const started = new Signal()
    const stopped = new Signal()
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'started') started.give()
      else if (message.kind === 'stopped') stopped.give()
      else if (message.kind === 'log') log(message.level, message.message)
      else if (message.kind === 'forward') answers.receive(message.requests)
      else this.receive(message, tunnels, post)
    })
    // It has closed the listening sockets, whose numbers may be used again: the node must end.
    worker.on('error', (error) => {
      throw new Error('an HTTP thread ended', { cause: error })
    })
    worker.unref()
    const thread: HttpThread = {
      ...{ worker, rest, release, counts, started: started.given, stopped: stopped.given },
      readFrom: (other) => {
        thread.release()
        const { access, release } = other.open()
        thread.release = release
        worker.postMessage({ kind: 'state', access } satisfies ToThread, [access.port])
        rest.end(true)
      },
    }
    return thread
  }

  private receive(
    message: TunnelMessage,
    tunnels: Map<number, TunnelSocket>,
    post: (message: TunnelMessage) => void,
  ): void {
    const { id } = message
    if (message.kind !== 'open') return tunnels.get(id)?.receive(message)
    const socket = new TunnelSocket(id, message.addresses, post)
    tunnels.set(id, socket)
    socket.on('close', () => tunnels.delete(id))
    this.listeners[message.listener]!.server.emit('connection', socket)
  }
}

/** Something that happens once. */
class Signal {
  give!: () => void
  readonly given = new Promise<void>((resolve) => (this.give = resolve))
}

/** The descriptor of a listening socket, which Node.js does not document. */
function fdOf(server: HttpServer): number {
  const { _handle: handle } = server as unknown as { _handle: { fd: number } }
  return handle.fd
}
