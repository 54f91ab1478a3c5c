/**
 * Questions that were answered a moment ago, answered before anything of them is parsed.
 *
 * A small body mostly comes with its head. Node.js has it in the stream as soon as the turn that read
 * the head gives way, so it can be looked at as bytes; what was not asked before is put back.
 */
import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'koa'
import { routes } from '../../generated/routes.ts'
import { MAX_QUESTION, isCached, type AnswerCache } from './answer_cache.ts'
import { send } from './send.ts'

export function keptAnswers(cache: AnswerCache) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const route = routes[ctx.req.url!]!
    if (!isCached(route.operationId)) return next()
    await undefined
    const question = bodyAtHand(ctx.req)
    const answer = question && cache.find(route.operationId, question.toString())
    if (answer) return send(ctx, route.successStatus, answer)
    if (question) ctx.req.unshift(question)
    await next()
  }
}

/** The whole body when it is short, not packed, and already here. */
function bodyAtHand(req: IncomingMessage): Buffer | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = req.headers
  if (length === undefined || encoding !== undefined) return undefined
  const size = Number(length)
  if (!(size > 0 && size <= MAX_QUESTION) || req.readableLength !== size) return undefined
  return req.read(size) as Buffer
}
