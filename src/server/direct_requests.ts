/**
 * Direct reads of requests that node:http has read.
 *
 * A small body usually arrives with its head. Node.js has it in the stream when the turn that read
 * the head ends, so it can be read at once. Every unusual request is left to koa unchanged: a body
 * that is packed, late, long or not plain JSON, a refused host, a full node.
 */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { DirectReads } from './direct_reads.ts'
import { refusalOf } from './request_guard.ts'
import { answerHeaders, write } from './send.ts'
import type { ServerOptions } from './server_options.ts'

/** @param otherwise gets every request that is not answered here */
export function directRequests(
  options: ServerOptions,
  reads: DirectReads,
  hosts: ReadonlySet<string> | undefined,
  otherwise: RequestListener,
): RequestListener {
  const headers = answerHeaders(options)
  return (req, res) => {
    const read = reads.find(req.url!)
    if (!read || req.method === 'OPTIONS') return otherwise(req, res)
    queueMicrotask(() => {
      const bytes = bodyAtHand(req, reads.longest)
      if (bytes && reads.hasRoom(bytes.length) && !refusalOf(req, hosts)) {
        const answer = reads.answer(read, bytes.toString(), req.method!)
        if (answer) return write(req, res, headers, answer.status, answer.payload)
      }
      if (bytes && bytes.length > 0) req.unshift(bytes)
      otherwise(req, res)
    })
  }
}

const NO_BODY = Buffer.alloc(0)

/** The whole body if it is short, not packed, and has arrived; no bytes if there is none. */
function bodyAtHand(req: IncomingMessage, longest: number): Buffer | undefined {
  const { headers } = req
  const length = headers['content-length']
  const is_usual =
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined
  if (!is_usual) return undefined
  const size = Number(length ?? 0)
  if (size === 0) return NO_BODY
  if (!(size <= longest) || req.readableLength !== size) return undefined
  return req.read(size) as Buffer
}
