/** Operations by their routes: the contract's check of the body, then the handler. */
import { routes, type Route } from '../../generated/routes.ts'
import type { Listener } from '../handlers/types.ts'
import type { ServedEngine } from '../engine/index.ts'
import { pagePaths } from './pages.ts'
import { readBody } from './read_body.ts'
import type { Category } from './server_options.ts'

/** The operations that one listener serves. */
export class Operations {
  private readonly engine: ServedEngine
  private readonly listener: Listener

  constructor(engine: ServedEngine, categories: ReadonlySet<Category>) {
    const served = Object.keys(routes).filter((path) => categories.has(routes[path]!.category))
    served.push(...pagePaths(engine.pages, categories))
    this.engine = engine
    this.listener = { apis: served.sort() }
  }

  /**
   * The answer of an operation, or a promise of it.
   * @param body undefined if there is none
   * @throws ChainError for a body that violates the contract, and errors of the handler
   */
  answer(route: Route, body: unknown, method: string): unknown {
    const { engine, listener } = this
    const checked = readBody(route, body, method) as never
    if (engine.replacing === undefined) return route.handler(engine, checked, listener)
    return engine.replacing.then(() => route.handler(engine, checked, listener))
  }

  /** Whether answers have to wait: the chain is being replaced by another one. */
  get mustWait(): boolean {
    return this.engine.replacing !== undefined
  }
}
