/**
 * A module that the parser refuses. `kind` is the class text and the message the detail, as the
 * reference reports them (eos-vm: exceptions.hpp); callers turn it into a ChainError.
 */
export class WasmParseError extends Error {
  readonly kind: string

  constructor(kind: string, detail: string) {
    super(detail)
    this.kind = kind
  }
}

export const PARSE = 'wasm parse exception'
export const BOUNDS = 'pointer out of bounds'
export const LEB = 'wasm interpreter exception'
export const VECTOR = 'wasm vector out of bounds'
export const ALLOCATION = 'wasm allocation failed'
export const LINK = 'wasm linked function failure'
export const IMPORT_KIND = 'wasm interpreter only accepts function imports'

/**
 * Refuses a module if `cond` is false.
 * @throws WasmParseError with `kind` and `detail`
 */
export function parseCheck(cond: boolean, detail: string, kind: string = PARSE): asserts cond {
  if (!cond) throw new WasmParseError(kind, detail)
}
