/** The only place that writes answers of operations and errors. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { ANSWER_TEXTS } from '../engine/reading.ts'
import type { ServerOptions } from './server_options.ts'

/** Bytes up to which a text is written with its headers in one piece, which Node.js does for texts
 *  alone; a longer one is turned into bytes once. */
const SHORT = 16 * 1024

/** JSON text as it is sent. */
export interface Payload {
  content: string | Buffer
  /** Bytes. */
  length: number
}

/** A value as JSON text with its length. */
export function payloadOf(value: unknown): Payload {
  return textPayload(JSON.stringify(value))
}

/** The answer of an operation as JSON text with its length. */
export function answerPayload(operationId: string, answer: unknown): Payload {
  return textPayload(answerText(operationId, answer))
}

/** The answer of an operation as JSON text. */
export function answerText(operationId: string, answer: unknown): string {
  const textOf = ANSWER_TEXTS.get(operationId)
  return textOf ? textOf(answer as never) : JSON.stringify(answer)
}

/** JSON text with its length. */
export function textPayload(text: string): Payload {
  const length = Buffer.byteLength(text)
  return { content: length <= SHORT ? text : Buffer.from(text), length }
}

/** The headers of every answer: the reference's content type (no charset), and CORS headers. */
export function answerHeaders({ cors }: ServerOptions): OutgoingHttpHeaders {
  return { ...cors, 'content-type': 'application/json' }
}

/** Writes JSON directly, because koa's own writing handles many kinds of bodies. */
export function send(ctx: Context, status: number, payload: Payload): void {
  ctx.respond = false
  write(ctx.req, ctx.res, ctx.state.headers, status, payload)
}

/** Headers are given at once, which node:http writes faster than one by one. */
export function write(
  req: IncomingMessage,
  res: ServerResponse,
  headers: OutgoingHttpHeaders,
  status: number,
  { content, length }: Payload,
): void {
  res.writeHead(status, { ...headers, 'content-length': length })
  res.end(req.method === 'HEAD' ? undefined : content)
}
