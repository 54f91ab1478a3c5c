/**
 * Requests that a page of another site makes a browser send. A browser sends some of them without asking
 * this node first (an image, a form, a text), so no CORS header keeps them away; it says where they come from.
 * Requests of programs (cleos, curl) say nothing of the kind and are let through.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Context, Next } from 'koa'
import { routes } from '../../generated/routes.ts'
import { HttpError, plainError } from './error_response.ts'
import { CONTROL, type Category, type ServerOptions } from './server_options.ts'

/**
 * Operations that change the node or its disk without a signature. Transactions and blocks
 * (`chain_rw`) are not among them: they are signed, and web wallets send them to nodes of other
 * sites.
 */
const UNSIGNED: ReadonlySet<Category> = new Set(CONTROL)

/** Longest origin that a message repeats. */
const MAX_SHOWN = 200

/** Refuses requests of pages of other sites where nothing else protects the node. */
export function crossSiteGuard({ control_origins }: Pick<ServerOptions, 'control_origins'>) {
  return (ctx: Context, next: Next): Promise<void> => {
    const { category } = routes[ctx.req.url!]!
    const site = UNSIGNED.has(category) ? foreignSite(ctx.req.headers, control_origins) : undefined
    if (site === undefined) return next()
    const what =
      `a page of another site (${site.slice(0, MAX_SHOWN)}) may not use ${category}; ` +
      'http-control-origin can permit it'
    throw new HttpError(403, plainError(403, 'Forbidden', what))
  }
}

/**
 * The site of the page that a request comes from, when it is not one of this node's own pages and not
 * allowed; undefined otherwise, and when there is no page.
 * @param allowed origins; `*` is every one
 */
export function foreignSite(
  headers: IncomingHttpHeaders,
  allowed: ReadonlySet<string>,
): string | undefined {
  if (allowed.has('*')) return undefined
  const { origin, referer, host } = headers
  const site = headers['sec-fetch-site']
  const page = origin ?? (referer === undefined ? undefined : originOf(referer))
  if (page !== undefined) {
    if (allowed.has(page)) return undefined
    if (!isOwn(page, host)) return page
  }
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined
  return page ?? String(site)
}

/** Whether an origin is that of the pages that this node serves under the requested host name. */
function isOwn(origin: string, host: string | undefined): boolean {
  return (
    host !== undefined &&
    /^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase()
  )
}

/** The origin of a page; `null` if it has no origin, as in the Origin header. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'null'
}
