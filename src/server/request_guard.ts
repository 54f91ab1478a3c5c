/**
 * The checks before a request is processed: its target, its Host, and the number of requests in
 * progress.
 * spring: plugins/http_plugin/include/eosio/http_plugin/beast_http_session.hpp
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Context, Next } from 'koa'
import { HttpError, busy } from './error_response.ts'
import { hostAllowed } from './host_check.ts'
import type { ServerOptions } from './server_options.ts'

/** Counts the requests in progress on all addresses together. One thread changes the counts, others may read them. */
export class InFlight {
  private readonly counts: Float64Array<SharedArrayBuffer>

  constructor(buffer = new SharedArrayBuffer(16)) {
    this.counts = new Float64Array(buffer)
  }

  /** The counts, for another thread's {@link InFlight}. */
  get buffer(): SharedArrayBuffer {
    return this.counts.buffer
  }

  /** Number of requests in progress. */
  get requests(): number {
    return this.counts[0] as number
  }

  set requests(requests: number) {
    this.counts[0] = requests
  }

  /** Bytes of the bodies of requests in progress. */
  get bytes(): number {
    return this.counts[1] as number
  }

  set bytes(bytes: number) {
    this.counts[1] = bytes
  }
}

/** @param hosts right values of the Host header; undefined: all are */
export function requestGuard(
  options: ServerOptions,
  hosts: ReadonlySet<string> | undefined,
  load: InFlight,
) {
  return (ctx: Context, next: Next): Promise<void> | void => {
    const refusal = refusalOf(ctx.req, hosts)
    if (refusal) throw refusal
    if (ctx.method === 'OPTIONS') {
      ctx.status = 200
      ctx.set(ctx.state.headers)
      ctx.body = '{}'
      return
    }
    return counted(options, load, bodyBytes(ctx.req.headers, options), next)
  }
}

/** The reason to refuse a request independent of its operation; undefined if there is none. */
export function refusalOf(
  req: IncomingMessage,
  hosts: ReadonlySet<string> | undefined,
): HttpError | undefined {
  const target = req.url ?? ''
  if (target[0] !== '/' || target.includes('..')) return refused('Illegal request-target')
  const { host } = req.headers
  const is_allowed = !hosts || hostAllowed(host, hosts, req.socket.localAddress)
  if (!is_allowed || hasTwoHosts(req) || (!host && mustHaveHost(req))) {
    return refused('Disallowed HTTP HOST header in the request')
  }
  return undefined
}

/**
 * Only one of two headers would be checked, and a proxy may have used the other. RFC 9112, section
 * 3.2
 */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** HTTP/1.1 asks for a Host; on a socket file the reference does not. */
function mustHaveHost({ httpVersion, socket }: IncomingMessage): boolean {
  return httpVersion !== '1.0' && socket.localAddress !== undefined
}

/** Whether one more request is within the limits. */
export function hasRoom(options: ServerOptions, load: InFlight, bytes: number): boolean {
  return (
    load.bytes + bytes <= options.max_bytes_in_flight &&
    load.requests < options.max_requests_in_flight
  )
}

/**
 * Bytes that a body may take here: a length that is not known before counts as the largest, and so
 * does a larger one, of which nothing is read.
 */
function bodyBytes(headers: IncomingHttpHeaders, options: ServerOptions): number {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers
  const unknown = headers['transfer-encoding'] !== undefined || encoding !== 'identity'
  return unknown
    ? Math.min(options.max_body_size, options.max_bytes_in_flight)
    : Math.min(options.max_body_size, Number(length ?? 0))
}

async function counted(
  options: ServerOptions,
  load: InFlight,
  bytes: number,
  next: Next,
): Promise<void> {
  load.requests += 1
  load.bytes += bytes
  try {
    if (load.bytes > options.max_bytes_in_flight) {
      throw busy(`Too many bytes in flight: ${load.bytes}`)
    }
    if (load.requests > options.max_requests_in_flight) {
      throw busy(`Too many requests in flight: ${load.requests}`)
    }
    await next()
  } finally {
    load.requests -= 1
    load.bytes -= bytes
  }
}

/** spring: beast_http_session.hpp, whose error has no details here */
function refused(message: string): HttpError {
  const error = { code: 0, name: '', what: '', details: [] }
  return new HttpError(400, { code: 400, message, error })
}
