import type { Context, Next } from 'koa'
import type { Page } from '../engine/index.ts'
import { notFound } from './error_response.ts'
import type { HttpMetrics } from './metrics.ts'
import type { Category } from './server_options.ts'

/** Answers the pages of services, each where its category is served. */
export function servePages(
  pages: () => ReadonlyMap<string, Page>,
  counted: HttpMetrics,
  categories: ReadonlySet<Category>,
) {
  return (ctx: Context, next: Next): Promise<void> | void => {
    const page = pages().get(ctx.req.url!)
    if (page === undefined) return next()
    if (!categories.has(page.category)) throw notFound()
    counted.count(ctx.req.url!)
    ctx.status = 200
    ctx.set(ctx.state.headers)
    ctx.set('content-type', page.content_type)
    ctx.body = page.text()
  }
}

/** The paths of the pages that are served where these categories are. */
export function pagePaths(
  pages: ReadonlyMap<string, Page>,
  categories: ReadonlySet<Category>,
): string[] {
  return [...pages].filter(([, { category }]) => categories.has(category)).map(([path]) => path)
}
