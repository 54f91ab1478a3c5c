/** Kinds of the parts of an index key; each becomes a fixed number of u32 words, big end first. */
export const KEY_WORDS = {
  /** false before true. */
  bool: 1,
  u32: 1,
  /** A name or other unsigned 64-bit bigint. */
  u64: 2,
  u128: 4,
  /** A row id or a time in microseconds: a safe integer, not negative. */
  uint53: 2,
  /** 32 bytes, compared byte by byte. */
  sha256: 8,
} as const

export type KeyKind = keyof typeof KEY_WORDS

interface KeyValues {
  bool: boolean
  u32: number
  u64: bigint
  u128: bigint
  uint53: number
  sha256: Uint8Array
}

/** The values of a key with these parts. */
export type KeyTuple<P extends readonly KeyKind[]> = { [I in keyof P]: KeyValues[P[I]] }

/** Any leading part of a key, the whole key too. */
export type KeyPrefix<T extends readonly unknown[]> = T extends readonly [...infer Rest, unknown]
  ? T | KeyPrefix<Rest>
  : T

/** A unique ordered index of an object table: the parts of its key, and the key of a row. */
export interface IndexDefinition<T, P extends readonly KeyKind[] = readonly KeyKind[]> {
  readonly parts: P
  readonly key: (row: T & { readonly id: number }) => KeyTuple<P>
}

/** Declares an index of rows `T`. */
export function indexOf<T>() {
  return <const P extends readonly KeyKind[]>(
    parts: P,
    key: (row: T & { readonly id: number }) => KeyTuple<P>,
  ): IndexDefinition<T, P> => ({ parts, key })
}
