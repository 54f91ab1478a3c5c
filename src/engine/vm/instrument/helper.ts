/** A function that is added to a rewritten module. */
export interface Helper {
  params: number[]
  result: number
  /** Locals and code. */
  body: Uint8Array
}
