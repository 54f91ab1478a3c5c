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

/** Class text of modules that break the format. */
export const PARSE = 'wasm parse exception'
/** Class text of lengths that go beyond the module. */
export const BOUNDS = 'pointer out of bounds'
/** Class text of integers with a wrong LEB128 form. */
export const LEB = 'wasm interpreter exception'
/** Class text of indices that are out of range. */
export const VECTOR = 'wasm vector out of bounds'
/** Class text of modules that need too much memory. */
export const ALLOCATION = 'wasm allocation failed'
/** Class text of imports that do not exist. */
export const LINK = 'wasm linked function failure'
/** Detail of the error for an import that is not a function. */
export const IMPORT_KIND = 'wasm interpreter only accepts function imports'

/**
 * Refuses a module if `cond` is false.
 * @throws WasmParseError with `kind` and `detail`
 */
export function parseCheck(cond: boolean, detail: string, kind: string = PARSE): asserts cond {
  if (!cond) throw new WasmParseError(kind, detail)
}
