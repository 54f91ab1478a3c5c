/**
 * Plain requests: whole requests in one piece, with nothing in their head that changes how a read is answered.
 * Most requests of programs are plain. Their head is read here, much faster than by node:http.
 *
 * This reader accepts only a part of what node:http accepts, and only where both read the same request.
 * All other bytes are left to node:http.
 */

/** Longer heads are left to node:http. Bytes. */
const MAX_HEAD = 2048
/** Heads that are remembered. Clients repeat their heads, except for the length of the body. */
const MAX_KNOWN = 512

const END = Buffer.from('\r\n\r\n')

const REQUEST_LINE = /^(GET|POST) (\/[\w/.-]*) HTTP\/1\.1$/
/** RFC 9110, 5.5: a value is text without control characters. Here it may be empty, and it is ASCII. */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[!-~](?:[!-~ \t]*[!-~])?)?)[ \t]*$/
const LENGTH = /^[0-9]{1,7}$/

/** Header fields that change how a request is read or answered. */
const UNUSUAL: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'http2-settings',
  'proxy-connection',
])

/** The head of a plain request. */
export interface PlainHead {
  method: string
  path: string
  /** The Host header, not empty. */
  host: string
  /** Bytes of the body. */
  length: number
  /** Whether there is a Prefer header. */
  prefers: boolean
}

/** A plain request. */
export interface PlainRequest<T> {
  head: T
  /** The place of the body in the bytes; it extends to their end. */
  body_at: number
}

/**
 * Reads plain requests.
 * @param T what a user of heads makes of each of them
 */
export class PlainRequests<T extends { length: number }> {
  private readonly known = new Map<string, T>()
  private readonly use: (head: PlainHead) => T | undefined

  /** @param use gives undefined for a head that shall be left to node:http */
  constructor(use: (head: PlainHead) => T | undefined) {
    this.use = use
  }

  /** The request that these bytes are; undefined for everything that is not exactly one plain request. */
  read(bytes: Buffer): PlainRequest<T> | undefined {
    const end = bytes.indexOf(END)
    if (end < 0 || end > MAX_HEAD) return undefined
    const head = this.headOf(bytes.toString('latin1', 0, end))
    const body_at = end + END.length
    if (head === undefined || bytes.length - body_at !== head.length) return undefined
    return { head, body_at }
  }

  private headOf(text: string): T | undefined {
    const known = this.known.get(text)
    if (known) return known
    const plain = plainHead(text)
    const head = plain && this.use(plain)
    if (!head) return undefined
    if (this.known.size >= MAX_KNOWN) this.known.clear()
    this.known.set(text, head)
    return head
  }
}

/** @param text the head without the empty line at its end
 *  @returns undefined if the head is not that of a plain request */
export function plainHead(text: string): PlainHead | undefined {
  const [first = '', ...fields] = text.split('\r\n')
  const [, method, path] = REQUEST_LINE.exec(first) ?? []
  if (method === undefined || path === undefined) return undefined
  let host: string | undefined
  let length: string | undefined
  let prefers = false
  for (const field of fields) {
    const [, given, value] = FIELD.exec(field) ?? []
    if (given === undefined || value === undefined) return undefined
    const name = given.toLowerCase()
    if (UNUSUAL.has(name)) return undefined
    if (name === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined
    if (name === 'host') {
      if (host !== undefined) return undefined
      host = value
    } else if (name === 'content-length') {
      if (length !== undefined || !LENGTH.test(value)) return undefined
      length = value
    } else if (name === 'prefer') {
      prefers = true
    }
  }
  if (!host) return undefined
  return { method, path, host, length: Number(length ?? 0), prefers }
}
