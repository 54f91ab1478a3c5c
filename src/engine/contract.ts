/**
 * Bodies of requests and of answers by operation, as the contract has them. Types alone: below the facade nothing
 * else is known of HTTP.
 */
import type { operations } from '../../generated/api.ts'

/** An operation of the contract. A GET request is another form of the same operation. */
export type Operation = Exclude<keyof operations, `${string}_by_get`>

/** The JSON body of a request or of a response. */
type Json<T> = T extends { content: { 'application/json': infer B } } ? B : never

/** The body that an operation takes. An absent body reaches the operation as an empty object. */
export type Body<Op extends Operation> = operations[Op] extends { requestBody?: infer R }
  ? Json<NonNullable<R>>
  : never

/** The body that an operation answers when it succeeds. */
export type Answer<Op extends Operation> = operations[Op]['responses'] extends infer R
  ? Json<R[keyof R & (200 | 201 | 202)]>
  : never

/** The names of the fields of a body, in each of its forms. */
export type FieldOf<B> = B extends readonly unknown[]
  ? never
  : B extends object
    ? Extract<keyof B, string>
    : never
