/** `Expect: 100-continue`: a client that waits to be asked before it sends its body. RFC 9110, 10.1.1 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'

const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1' && CONTINUE.test(headers.expect)
}

/**
 * Whoever is answered without being asked may send the body all the same, or another request: what comes
 * next on that connection cannot be told, so it is closed, unless {@link askForBody} is called.
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
