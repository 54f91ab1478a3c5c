/**
 * Extensions: typed byte strings that transactions, headers and blocks carry after their fields.
 * spring: `extensions_type` and `decompose` in libraries/chain/include/eosio/chain/types.hpp
 */
import { check } from '../errors.ts'
import type { ErrorName } from '../errors.ts'
import { Reader } from './reader.ts'
import type { Writer } from './writer.ts'

/** Most extensions of a block, a header or a transaction. There are few kinds, and none of them may be repeated. */
export const MAX_EXTENSIONS = 1024

/** Type id, and content as packed. */
export type Extension = [number, Uint8Array]

/** Writes an extension in the wire format: type (u16) and data. */
export function packExtension(w: Writer, extension: Extension): void {
  w.u16(extension[0])
  w.blob(extension[1])
}

/** Reads an extension in the wire format. */
export function unpackExtension(r: Reader): Extension {
  return [r.u16(), r.blob()]
}

/** The permitted extensions of a list, by type id. Every known type may appear once. */
export interface ExtensionKind {
  /** Leads the messages: `Block header extension`. */
  label: string
  /** Thrown for wrong order and unknown types. */
  error: ErrorName
  /** Thrown for repetition; the reference differs from `error` for blocks. */
  repeatError?: ErrorName
  readers: Readonly<Record<number, (r: Reader) => unknown>>
}

/**
 * Checks order, uniqueness and content of all extensions, and gives them by type id.
 * Bytes after the content of an extension are ignored, as in the reference.
 * @throws ChainError the errors that `kind` names
 */
export function extractExtensions(
  extensions: readonly Extension[],
  kind: ExtensionKind,
): Map<number, unknown> {
  const found = new Map<number, unknown>()
  let bound = 0
  for (const [id, data] of extensions) {
    check(
      id >= bound,
      kind.error,
      `${kind.label}s are not in the correct order (ascending id types required)`,
    )
    const read = kind.readers[id]
    check(read !== undefined, kind.error, () => `${kind.label} with id type ${id} is not supported`)
    const content = read(new Reader(data))
    check(
      !found.has(id),
      kind.repeatError ?? kind.error,
      () => `${kind.label} with id type ${id} is not allowed to repeat`,
    )
    found.set(id, content)
    bound = id
  }
  return found
}
