/** `Expect: 100-continue`: a client that waits to be asked before it sends its body. RFC 9110, 10.1.1 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'

const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1' && CONTINUE.test(headers.expect)
}

/**
 * A client that gets its answer without `100 Continue` may send the body anyway, or the next
 * request. The server cannot distinguish these, so it closes the connection unless {@link
 * askForBody} is called.
 */
export function closeUnlessAsked(ctx: Context): void {
  if (awaitsContinue(ctx.req)) ctx.set('connection', 'close')
}

/** Asks a client that waits with `Expect: 100-continue` to send the body. */
export function askForBody(ctx: Context): void {
  if (!awaitsContinue(ctx.req)) return
  ctx.remove('connection')
  ctx.res.writeContinue()
}
