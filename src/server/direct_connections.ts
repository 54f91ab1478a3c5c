/**
 * Direct reads and submissions without node:http, whose work for a request is several times that of a short read.
 *
 * A connection starts here. As long as each piece that arrives is exactly one plain request for a direct read or
 * submission (plain_request.ts), it is answered here. The first piece that is anything else, and the connection
 * with it, is given to node:http for good. So a connection here never has an incomplete request. A read is answered
 * at once. While a submission waits for its answer, nothing more is read from its connection, and likewise if a
 * client does not take its answers.
 */
import { STATUS_CODES, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { DirectAnswer, DirectRead, DirectReads } from './direct_reads.ts'
import type { DirectSubmission } from './direct_submissions.ts'
import { hostName, localName } from './host_check.ts'
import { PlainRequests } from './plain_request.ts'
import { answerHeaders } from './send.ts'
import type { ServerOptions } from './server_options.ts'

/** Callbacks about the connections. */
export interface ConnectionBook {
  /** A new connection is served here. */
  beginDirect(socket: Socket): void
  /** A request is answered later. */
  waits(socket: Socket): void
  /** A request was answered. */
  answered(socket: Socket): void
  /** Whether the connection ends with the answer that is sent now. */
  endsWithAnswer(socket: Socket): boolean
  /** From now on the connection is served otherwise.
   *  @param bytes that were read and belong to a request which is answered otherwise */
  endDirect(socket: Socket, bytes: number): void
}

/** Requests whose answers come later. */
export interface LaterAnswers {
  /** Undefined if requests of this path are not answered here. */
  find(path: string): DirectSubmission | undefined
  /**
   * Begins a request that passed all checks of heads; undefined for one that must be answered otherwise, which may
   * also turn out later.
   * @param text the request body, '' if there is none
   * @param bytes of the request body
   */
  answer(
    found: DirectSubmission,
    text: string,
    bytes: number,
    method: string,
  ): Promise<DirectAnswer | undefined> | undefined
}

interface DirectHead {
  length: number
  /** At least one of the two is there. What the first does not answer is for the second. */
  read: DirectRead | undefined
  later: DirectSubmission | undefined
  method: string
  /** The name in the Host header. */
  host: string
  /** Whether this name is right at each address of the machine. */
  is_known_host: boolean
}

/** What happened to a piece that arrived: it was answered, waits for its answer, or is for node:http. */
type Fate = 'answered' | 'waits' | 'other'

/** Serves connections of one listener until they need node:http. */
export class DirectConnections {
  private readonly reads: DirectReads
  private readonly connections: ConnectionBook
  private readonly requests: PlainRequests<DirectHead>
  /** By status: the head of an answer up to the value of content-length. */
  private readonly starts = new Map<number, string>()
  private readonly headers: string
  private readonly serveOtherwise: (socket: Socket) => void
  private readonly later: LaterAnswers | undefined

  /**
   * @param hosts right values of the Host header; undefined: all are
   * @param serveOtherwise gets each connection with another request, before that request
   * @param later undefined: such requests are served otherwise
   */
  constructor(
    options: ServerOptions,
    connections: ConnectionBook,
    reads: DirectReads,
    hosts: ReadonlySet<string> | undefined,
    serveOtherwise: (socket: Socket) => void,
    later?: LaterAnswers,
  ) {
    this.reads = reads
    this.connections = connections
    this.serveOtherwise = serveOtherwise
    this.later = later
    this.headers = Object.entries(answerHeaders(options))
      .map(([name, value]) => `${name}: ${String(value)}\r\n`)
      .join('')
    this.requests = new PlainRequests(({ method, path, host, length, prefers }) => {
      const read = reads.find(path)
      // A preference changes the answer to a submission.
      const answered_later = prefers && !read ? undefined : later?.find(path)
      if (!read && !answered_later) return undefined
      const name = hostName(host)
      const is_known_host = !hosts || hosts.has(name)
      return { length, read, later: answered_later, method, host: name, is_known_host }
    })
  }

  /** Serves a new connection. */
  serve(socket: Socket): void {
    let is_waiting = false
    let has_ended = false
    this.connections.beginDirect(socket)
    const receive = (bytes: Buffer): void => {
      // RFC 9112, 9.6: no request is served after the answer that ends the connection.
      if (socket.writableEnded) return
      if (is_waiting) {
        socket.pause()
        socket.unshift(bytes)
        return
      }
      const fate = this.answer(socket, bytes, answered, () => giveUp(bytes))
      if (fate === 'waits') is_waiting = true
      if (fate === 'other') handOver(bytes)
    }
    const handOver = (bytes: Buffer): void => {
      socket.off('data', receive).off('drain', resume).off('end', end).off('error', ignore)
      this.connections.endDirect(socket, bytes.length)
      this.serveOtherwise(socket)
      socket.emit('data', bytes)
    }
    // The answer that was waited for must be made otherwise. What came meanwhile follows.
    const giveUp = (bytes: Buffer): void => {
      if (!socket.readable && !has_ended) return
      handOver(bytes)
      if (has_ended) socket.emit('end')
      else socket.resume()
    }
    const answered = (): void => {
      is_waiting = false
      if (has_ended) socket.end()
      else if (!socket.writableNeedDrain) socket.resume()
    }
    const resume = (): void => {
      if (!is_waiting) socket.resume()
    }
    // The client sends no more requests, but may still read.
    const end = (): void => {
      has_ended = true
      if (!is_waiting) socket.end()
    }
    socket.on('data', receive).on('drain', resume).on('end', end).on('error', ignore)
  }

  /**
   * @param answered called later for a request that waits, when it was answered
   * @param other called later for a request that waits, when it must be answered otherwise
   */
  private answer(socket: Socket, bytes: Buffer, answered: () => void, other: () => void): Fate {
    const request = this.requests.read(bytes)
    if (!request || !socket.writable) return 'other'
    const { head, body_at } = request
    if (!head.is_known_host && head.host !== localName(socket.localAddress)) return 'other'
    const text = head.length === 0 ? '' : bytes.toString('utf8', body_at)
    if (head.read && this.read(socket, head, head.read, text)) return 'answered'
    const answer = head.later && this.later!.answer(head.later, text, head.length, head.method)
    if (!answer) return 'other'
    this.connections.waits(socket)
    void answer.then((made) => {
      this.connections.answered(socket)
      if (!made) return other()
      if (socket.writable) this.write(socket, made)
      answered()
    })
    return 'waits'
  }

  /** Returns whether the request was answered. */
  private read(socket: Socket, head: DirectHead, read: DirectRead, question: string): boolean {
    if (!this.reads.hasRoom(head.length)) return false
    const answer = this.reads.answer(read, question, head.method)
    if (!answer) return false
    this.write(socket, answer)
    this.connections.answered(socket)
    return true
  }

  private write(socket: Socket, { status, payload: { content, length } }: DirectAnswer): void {
    const is_last = this.connections.endsWithAnswer(socket)
    const connection = is_last ? 'close' : 'keep-alive'
    const head = `${this.start(status)}${length}\r\nDate: ${httpDate()}\r\nConnection: ${connection}\r\n\r\n`
    if (typeof content === 'string') {
      // Text of ASCII characters alone, which has as many bytes as characters, is written fastest so.
      socket.write(head + content, content.length === length ? 'latin1' : 'utf8')
    } else {
      socket.cork()
      socket.write(head, 'latin1')
      socket.write(content)
      socket.uncork()
    }
    if (is_last) {
      // What still comes is read, but not served: unread bytes would reset the connection before the client has its answer.
      socket.end()
      socket.resume()
    } else if (socket.writableNeedDrain) {
      // No further request is read before the client has taken its answers.
      socket.pause()
    }
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
  later?: LaterAnswers,
): void {
  const [serve] = server.listeners('connection') as ((socket: Socket) => void)[]
  server.off('connection', serve!)
  const serveOtherwise = (socket: Socket): void => serve!.call(server, socket)
  const direct = new DirectConnections(options, connections, reads, hosts, serveOtherwise, later)
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
