/**
 * The body of a request as JSON, whatever its Content-Type is: clients send text/plain, form types
 * or none. The reference never reads that header.
 */
import type { Context, Next } from 'koa'
import { bodyTooLarge, invalidRequest } from './error_response.ts'
import { askForBody } from './expect.ts'
import { withNumbersAsRead } from './json_numbers.ts'
import { MAX_DEPTH, depthExceeds } from './plain_json.ts'

/** White space of JSON, no other. */
const BLANK = /^[ \t\r\n]*$/

/** Parses into `ctx.request.body`; undefined when there is no body, or an empty one. */
export async function jsonBody(max_body_size: number) {
  // Loaded when koa is.
  const { default: bodyParser } = await import('koa-bodyparser')
  const options = {
    // A property like any other: JSON.parse makes an own one of it, and nothing here assigns by such names.
    onProtoPoisoning: 'ignore',
    enableTypes: ['json'],
    detectJSON: () => true,
    strict: false,
    jsonLimit: String(max_body_size),
    onerror: (error: Error & { status?: number; body?: string }) => {
      if (error.status === 413) throw bodyTooLarge(max_body_size)
      // White space alone is not a body; everything else that the parser refuses is a wrong one.
      if (error.body === undefined || !BLANK.test(error.body)) {
        throw invalidRequest(`the body is not JSON: ${error.message}`)
      }
    },
  }
  const parse = bodyParser(options)
  return async (ctx: Context, next: Next): Promise<void> => {
    const { headers } = ctx.req
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      return next()
    }
    if (Number(headers['content-length'] ?? 0) > max_body_size) throw bodyTooLarge(max_body_size)
    askForBody(ctx)
    await parse(ctx, async () => {
      const { body, rawBody } = ctx.request as { body: unknown; rawBody: string | undefined }
      if (body === '' && rawBody === '') ctx.request.body = undefined
      else if (depthExceeds(body, MAX_DEPTH)) throw invalidRequest('the body is nested too deeply')
      const exact = withNumbersAsRead(rawBody ?? '')
      if (exact !== undefined) ctx.request.body = JSON.parse(exact)
      await next()
    })
  }
}
