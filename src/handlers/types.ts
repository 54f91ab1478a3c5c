/**
 * The types of handlers, taken from the contract: a handler that is missing, takes another body or
 * answers another one does not compile.
 */
import type { operations } from '../../generated/api.ts'
import type { Engine } from '../engine/index.ts'

/** A GET request is another form of the same operation, not a separate operation. */
type Operation = Exclude<keyof operations, `${string}_by_get`>

/** The JSON body of a request or of a response. */
export type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never

/** The body that an operation takes. An absent body reaches the handler as an empty object. */
export type Body<Op extends Operation> = operations[Op] extends { requestBody?: infer R }
  ? Json<NonNullable<R>>
  : never

/** The body that an operation answers when it succeeds. */
export type Ok<Op extends Operation> = operations[Op]['responses'] extends infer R
  ? Json<R[keyof R & (200 | 201 | 202)]>
  : never

/** The properties of the request's address that a handler may use. */
export interface Listener {
  /** The paths that are served there. */
  readonly apis: string[]
}

/** One handler for each operation of the contract. */
export type Handlers = {
  [Op in Operation]: (
    engine: Engine,
    body: Body<Op>,
    listener: Listener,
  ) => Ok<Op> | Promise<Ok<Op>>
}
