import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { listenOn } from '../../listening.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Address } from '../../options/address.ts'
import { RequestMemory } from './request_memory.ts'
import { Session, type HistorySource } from './session.ts'
import { Turns } from './turns.ts'

/** An address, and the option that gave it. */
export interface HistoryAddress {
  readonly address: Address
  readonly option: string
}

/** More readers are refused. Each needs the memory of a message and of its socket. */
const MAX_READERS = 256
/** Most bytes of one request; the reference's limit. */
const MAX_REQUEST_BYTES = 16 * 1024 * 1024
/** Most bytes of the headers of a handshake; a reader that vanished is noticed. */
const SERVER_OPTIONS = {
  maxHeaderSize: 16 * 1024,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  // A connection that does not become a reader soon makes room for others.
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
} as const
const REFUSED = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n'
/** Connections that are not readers yet. */
const MAX_HANDSHAKES = 64

/** Accepts WebSocket connections, and serves each by a session. */
export class HistoryServer {
  private readonly source: HistorySource
  private readonly log: Log
  private readonly sockets: WebSocketServer
  private readonly servers: Server[] = []
  private readonly sessions = new Set<Session>()
  private readonly turns: Turns
  private readonly partial = new RequestMemory<Session>((session) => session.close())
  /** Positions of whole requests wait until a reader that does not read has taken the present message. */
  private readonly held = new RequestMemory<Session>((session) => session.close())

  constructor(
    source: HistorySource,
    { version, clock, log }: { version: string; clock: Pick<Clock, 'now'>; log: Log },
  ) {
    this.source = source
    this.turns = new Turns(() => clock.now())
    this.log = log
    this.sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      autoPong: false,
      perMessageDeflate: false,
      maxPayload: MAX_REQUEST_BYTES,
    })
    this.sockets.on('headers', (headers) => headers.push(`Server: state_history/v${version}`))
  }

  /** Number of readers. */
  get readers(): number {
    return this.sessions.size
  }

  /** The addresses that are open. */
  get addresses(): ReturnType<Server['address']>[] {
    return this.servers.map((server) => server.address())
  }

  /** Opens an address. @throws ListenError */
  async listen({ address, option }: HistoryAddress): Promise<void> {
    const server = createServer(SERVER_OPTIONS, (_request, response) => {
      response.writeHead(426, { Connection: 'close', Upgrade: 'websocket' })
      response.end('state history is served by WebSocket only\n')
    })
    server.maxConnections = MAX_READERS + MAX_HANDSHAKES
    server.on('upgrade', (request, socket: Socket, head) => {
      if (this.sessions.size >= MAX_READERS) {
        // Nothing else listens to its errors any more, nor ends it if the other side does not.
        socket.on('error', () => undefined)
        socket.end(REFUSED, () => socket.destroy())
        return
      }
      socket.setNoDelay(true)
      this.sockets.handleUpgrade(request, socket, head, (connection) => {
        const peer = peerText(socket)
        this.log('info', `incoming state history connection from ${peer}`)
        const { source, turns, log } = this
        const onCompared = (): void => this.held.end(session)
        const session = new Session(connection, source, { turns, peer, log, onCompared })
        // Before the bytes are read as messages.
        socket.prependListener('data', ({ length }) => this.partial.add(session, length))
        for (const end of ['message', 'close']) {
          connection.on(end, () => {
            this.partial.end(session)
            this.held.end(session)
          })
        }
        connection.on('message', () => this.held.add(session, session.held_bytes))
        this.serve(session)
      })
    })
    await listenOn(server, address, option)
    this.servers.push(server)
  }

  /** Tells readers of a block that became the head. */
  blockApplied(block_num: number): void {
    for (const session of this.sessions) session.blockApplied(block_num)
  }

  /** Tells readers that more blocks are irreversible. */
  irreversible(): void {
    for (const session of this.sessions) session.awake()
  }

  /** Closes all addresses and connections. */
  async close(): Promise<void> {
    for (const session of this.sessions) session.close()
    const closed = this.servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    )
    for (const server of this.servers) server.closeAllConnections()
    await Promise.all(closed)
  }

  private serve(session: Session): void {
    this.sessions.add(session)
    void session.run().finally(() => this.sessions.delete(session))
  }
}

function peerText(socket: Socket): string {
  const { remoteAddress, remotePort } = socket
  return remoteAddress === undefined ? 'UNIX socket' : `${remoteAddress}:${remotePort}`
}
