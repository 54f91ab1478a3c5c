/**
 * The types of handlers, taken from the contract: a handler that is missing, takes another body or
 * answers another one does not compile.
 */
import type { Answer, Body, ServedEngine, Operation } from '../engine/index.ts'

/** The properties of the request's address that a handler may use. */
export interface Listener {
  /** The paths that are served there. */
  readonly apis: string[]
}

/** One handler for each operation of the contract. */
export type Handlers = {
  [Op in Operation]: (
    engine: ServedEngine,
    body: Body<Op>,
    listener: Listener,
  ) => Answer<Op> | Promise<Answer<Op>>
}
