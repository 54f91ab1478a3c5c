/**
 * The connections of one listener and their limits.
 *
 * A connection that waits for its next request stays open until its client closes it. If the server
 * closed it while a request is on its way, that request would be lost, and a client cannot safely
 * repeat a POST. Only when there are too many connections, the one that has been idle for the
 * longest time is closed for a new one.
 *
 * A client has limited time to complete a request that it has started. The time is counted in turns
 * of the event loop, not by the clock: after each turn, everything that arrived has been read. So a
 * client is not blamed for data that this thread did not read because it was busy.
 * spring: plugins/http_plugin/include/eosio/http_plugin/beast_http_session.hpp (has no such limits)
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { OpenCount } from './threads/shared_counts.ts'
import { TunnelSocket } from './threads/tunnel_socket.ts'

/** In so many parts a client's time for a request is counted. */
const PARTS = 10

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** The limits of connections. */
export interface ConnectionLimits {
  max_connections: number
  /** Milliseconds for a client to send one request. */
  request_timeout_ms: number
}

interface Connection {
  /** Whether it is served without node:http: it has no incomplete request then. */
  is_direct: boolean
  /** Whether a request without node:http waits for its answer. */
  is_waiting: boolean
  /** The last request whose headers have arrived, and its answer. */
  request: IncomingMessage | undefined
  response: ServerResponse | undefined
  /** Bytes that had arrived when a turn first saw that request answered; what comes after is of the next. */
  counted: IncomingMessage | undefined
  read_bytes: number
  /** Turns in which one request was incomplete. */
  turns: number
}

/**
 * Limits the connections of a server: their number, the time of an incomplete request, and idle
 * connections in favour of new ones.
 */
export class Connections {
  /** The one that has waited longest for a request first. */
  private readonly open = new Map<Socket, Connection>()
  private readonly limits: ConnectionLimits
  /** Those on all threads. */
  private readonly count: OpenCount
  /** Whether the server takes no new connections. */
  private is_closing = false
  private onEmpty: (() => void) | undefined

  constructor(limits: ConnectionLimits, count = new OpenCount()) {
    this.limits = limits
    this.count = count
  }

  /** Bounds the connections of a server, in place of the limits of Node.js, which are by the clock. */
  watch(server: Server): void {
    server.keepAliveTimeout = 0
    server.headersTimeout = 0
    server.requestTimeout = 0
    server.on('connection', (socket: Socket) => this.add(socket))
    for (const event of ['request', 'checkContinue', 'checkExpectation']) {
      server.prependListener(event, (request: IncomingMessage, response: ServerResponse) =>
        this.begin(request, response),
      )
    }
    // Node.js's own also closes connections whose answer is ended but not yet sent.
    server.closeIdleConnections = () => this.close()
    // Node.js's own knows only those that node:http serves.
    server.closeAllConnections = () => {
      for (const socket of this.open.keys()) socket.destroy()
    }
    const timer = setInterval(() => this.turn(), this.limits.request_timeout_ms / PARTS)
    timer.unref()
    server.on('close', () => clearInterval(timer))
  }

  /** Closes connections on which one request has been incomplete for too many turns. */
  turn(): void {
    for (const [socket, connection] of this.open) {
      if (isReceiving(socket, connection)) {
        if (++connection.turns > PARTS) timeOut(socket, connection)
      } else {
        connection.turns = 0
        if (!isAnswering(socket, connection) && connection.counted !== connection.request) {
          connection.counted = connection.request
          connection.read_bytes = socket.bytesRead
        }
      }
    }
  }

  /** Takes no new connections, and closes the others as the server's `close` does; resolves when none is left. */
  end(): Promise<void> {
    this.close()
    return new Promise((resolve) => {
      this.onEmpty = resolve
      if (this.open.size === 0) resolve()
    })
  }

  /** Closes the connections that wait for a request, and each other one when its answer is sent. */
  private close(): void {
    this.is_closing = true
    for (const [socket, connection] of this.open) {
      const { response } = connection
      if (connection.is_waiting) continue
      if (response && !response.writableFinished) closeAfter(response, socket)
      else if (!hasBegunNext(socket, connection)) socket.destroySoon()
    }
  }

  /** A new connection is served without node:http. */
  beginDirect(socket: Socket): void {
    const connection = this.open.get(socket)
    if (connection) connection.is_direct = true
  }

  /** A request without node:http is answered later. */
  waits(socket: Socket): void {
    const connection = this.open.get(socket)
    if (connection) connection.is_waiting = true
  }

  /** Whether the connection ends with the answer that is sent now without node:http. */
  endsWithAnswer(): boolean {
    return this.is_closing
  }

  /** A request was answered without node:http. */
  answered(socket: Socket): void {
    const connection = this.open.get(socket)
    if (!connection) return
    connection.is_waiting = false
    this.moveToEnd(socket, connection)
  }

  /** From now on node:http serves the connection.
   *  @param bytes that were read and belong to a request which node:http answers */
  endDirect(socket: Socket, bytes: number): void {
    const connection = this.open.get(socket)
    if (!connection) return
    connection.is_direct = false
    connection.read_bytes = socket.bytesRead - bytes
  }

  private add(socket: Socket): void {
    if (this.is_closing) {
      socket.destroy()
      return
    }
    // A connection of another thread is counted there.
    const is_counted = !(socket instanceof TunnelSocket)
    if (is_counted) {
      if (this.count.value >= this.limits.max_connections && !this.makeRoom()) {
        socket.destroy()
        return
      }
      this.count.add(1)
    }
    this.open.set(socket, newConnection())
    socket.on('close', () => {
      this.open.delete(socket)
      if (is_counted) this.count.add(-1)
      if (this.open.size === 0) this.onEmpty?.()
    })
  }

  /**
   * Closes the connection that has been idle for the longest time. Returns false if none is idle.
   */
  private makeRoom(): boolean {
    for (const [socket, connection] of this.open) {
      if (isAnswering(socket, connection) || isReceiving(socket, connection)) continue
      this.open.delete(socket)
      socket.destroy()
      return true
    }
    return false
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = this.open.get(socket)
    if (!connection) return
    connection.request = request
    connection.response = response
    connection.turns = 0
    if (this.is_closing) closeAfter(response, socket)
    this.moveToEnd(socket, connection)
  }

  /** It is the last one to wait now. */
  private moveToEnd(socket: Socket, connection: Connection): void {
    this.open.delete(socket)
    this.open.set(socket, connection)
  }
}

function newConnection(): Connection {
  return {
    is_direct: false,
    is_waiting: false,
    request: undefined,
    response: undefined,
    counted: undefined,
    read_bytes: 0,
    turns: 0,
  }
}

/** Announces to the client, if that is still possible, that this is the last answer. */
function closeAfter(response: ServerResponse, socket: Socket): void {
  if (!response.headersSent) response.shouldKeepAlive = false
  response.on('finish', () => socket.destroySoon())
}

/** Whether a complete request waits for its answer, or for the end of the answer. */
function isAnswering(socket: Socket, connection: Connection): boolean {
  const { is_direct, is_waiting, request, response } = connection
  if (is_direct) return is_waiting || socket.writableLength > 0
  if (!request?.complete || !response) return false
  return !response.writableFinished && !response.destroyed
}

/** Whether a part of a request has arrived. */
function isReceiving(socket: Socket, connection: Connection): boolean {
  const { request } = connection
  if (request && !request.complete) return true
  return hasBegunNext(socket, connection)
}

/** Whether bytes have arrived of a request whose headers are not complete. */
function hasBegunNext(socket: Socket, connection: Connection): boolean {
  const { is_direct, request, counted, read_bytes } = connection
  return !is_direct && request === counted && socket.bytesRead > read_bytes
}

/** Answers the client, unless an answer is already being sent, and closes the connection. */
function timeOut(socket: Socket, { request, response }: Connection): void {
  const is_answered = request?.complete === false && response?.headersSent
  if (!is_answered) socket.write(TIMED_OUT)
  socket.destroy()
}
