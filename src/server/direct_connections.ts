/**
 * Direct reads without node:http, whose work for a request is several times that of a short read.
 *
 * A connection starts here. As long as each piece that arrives is exactly one plain request for a direct
 * read (plain_request.ts), it is answered at once. The first piece that is anything else, and the connection
 * with it, is given to node:http for good. So a connection here never has an incomplete request, nor a request
 * that waits for its answer. If a client does not take its answers, nothing more is read from it.
 */
import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { DirectRead, DirectReads } from './direct_reads.ts'
import { hostName, localName } from './host_check.ts'
import { PlainRequests } from './plain_request.ts'
import { answerHeaders, type Payload } from './send.ts'
import type { ServerOptions } from './server_options.ts'

/** What is told of the connections. */
export interface ConnectionBook {
  /** A new connection is served here. */
  beginDirect(socket: Socket): void
  /** A request was answered. */
  answered(socket: Socket): void
  /** From now on the connection is served otherwise.
   *  @param bytes that were read and belong to a request which is answered otherwise */
  endDirect(socket: Socket, bytes: number): void
}

interface DirectHead {
  length: number
  read: DirectRead
  method: string
  /** The name in the Host header. */
  host: string
  /** Whether this name is right at each address of the machine. */
  is_known_host: boolean
}

/** Serves connections of one listener until they need node:http. */
export class DirectConnections {
  private readonly reads: DirectReads
  private readonly connections: ConnectionBook
  private readonly requests: PlainRequests<DirectHead>
  /** By status: the head of an answer up to the value of content-length. */
  private readonly starts = new Map<number, string>()
  private readonly headers: string
  private readonly serveOtherwise: (socket: Socket) => void

  /**
   * @param hosts right values of the Host header; undefined: all are
   * @param serveOtherwise gets each connection with another request, before that request
   */
  constructor(
    options: ServerOptions,
    connections: ConnectionBook,
    reads: DirectReads,
    hosts: ReadonlySet<string> | undefined,
    serveOtherwise: (socket: Socket) => void,
  ) {
    this.reads = reads
    this.connections = connections
    this.serveOtherwise = serveOtherwise
    this.headers = Object.entries(answerHeaders(options))
      .map(([name, value]) => `${name}: ${String(value)}\r\n`)
      .join('')
    this.requests = new PlainRequests(({ method, path, host, length }) => {
      const read = reads.find(path)
      const name = hostName(host)
      return read && { length, read, method, host: name, is_known_host: !hosts || hosts.has(name) }
    })
  }

  /** Serves a new connection. */
  serve(socket: Socket): void {
    this.connections.beginDirect(socket)
    const receive = (bytes: Buffer): void => {
      if (this.answer(socket, bytes)) return
      socket.off('data', receive).off('drain', resume).off('end', end).off('error', ignore)
      this.connections.endDirect(socket, bytes.length)
      this.serveOtherwise(socket)
      socket.emit('data', bytes)
    }
    const resume = (): void => void socket.resume()
    // The client sends no more requests, but may still read.
    const end = (): void => void socket.end()
    socket.on('data', receive).on('drain', resume).on('end', end).on('error', ignore)
  }

  /** Returns whether the bytes were a plain request, which is answered then. */
  private answer(socket: Socket, bytes: Buffer): boolean {
    const request = this.requests.read(bytes)
    if (!request || !socket.writable) return false
    const { head, body_at } = request
    if (!this.reads.hasRoom(head.length)) return false
    if (!head.is_known_host && head.host !== localName(socket.localAddress)) return false
    const question = head.length === 0 ? '' : bytes.toString('utf8', body_at)
    const answer = this.reads.answer(head.read, question, head.method)
    if (!answer) return false
    this.write(socket, answer.status, answer.payload)
    this.connections.answered(socket)
    return true
  }

  private write(socket: Socket, status: number, { content, length }: Payload): void {
    const head = `${this.start(status)}${length}\r\nDate: ${httpDate()}\r\nConnection: keep-alive\r\n\r\n`
    if (typeof content === 'string') {
      // Text of ASCII characters alone, which has as many bytes as characters, is written fastest so.
      socket.write(head + content, content.length === length ? 'latin1' : 'utf8')
    } else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(content)
      socket.uncork()
    }
    // No further request is read before the client has taken its answers.
    if (socket.writableNeedDrain) socket.pause()
  }

  private start(status: number): string {
    let start = this.starts.get(status)
    if (start === undefined) {
      start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${this.headers}content-length: `
      this.starts.set(status, start)
    }
    return start
  }
}

/**
 * Serves the new connections of a server directly until they need node:http. Other listeners for connections see
 * them before.
 */
export function serveDirectly(
  server: Server,
  options: ServerOptions,
  connections: ConnectionBook,
  reads: DirectReads,
  hosts: ReadonlySet<string> | undefined,
): void {
  const [serve] = server.listeners('connection') as ((socket: Socket) => void)[]
  server.off('connection', serve!)
  const direct = new DirectConnections(options, connections, reads, hosts, (socket) =>
    serve!.call(server, socket),
  )
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) direct.serve(socket)
  })
}

/** An error closes the connection, which is all there is to do. */
function ignore(): void {}

let date_second = NaN
let date_text = ''

/** The time for the Date header, made once a second. */
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date_second) {
    date_second = second
    date_text = new Date(second * 1000).toUTCString()
  }
  return date_text
}
