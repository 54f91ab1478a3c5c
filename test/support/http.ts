/** Requests as a test writes them: raw where it must be, on one connection each. */
import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The text as JSON; undefined where it is none. */
  body: unknown
}

export interface AskOptions {
  method?: string
  headers?: Record<string, string>
  /** A text goes out as it is, anything else as JSON; absent: no body. */
  body?: unknown
}

/** Sends one request; `url` may be `unix:/path/of/socket`. */
export function ask(url: string, path: string, options: AskOptions = {}): Promise<Answer> {
  const { body } = options
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request({ ...target(url), path, agent: false, ...head(options, payload) })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, text, body: json(text) })
      })
    })
    sent.end(payload)
  })
}

function head(options: AskOptions, payload: string | undefined): RequestOptions {
  const length = payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }
  return { method: options.method ?? 'POST', headers: { ...length, ...options.headers } }
}

function target(url: string): RequestOptions {
  if (url.startsWith('unix:')) return { socketPath: url.slice(5), setHost: false }
  const { hostname, port } = new URL(url)
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
