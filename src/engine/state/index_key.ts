/** Keys of the object tables' indices: their parts, and the words that they become. */
import { scratchU32, scratchU64 } from '../protocol/scratch.ts'

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

/** The kind of a part of an index key. */
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

/** Any prefix of a key, including the whole key. */
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

/** Words of a key with these parts. */
export function keyWidth(parts: readonly KeyKind[]): number {
  return parts.reduce((sum, part) => sum + KEY_WORDS[part], 0)
}

/** Writes a key to `out`. The words of parts that `values` lacks become `fill`. */
export function writeKey(
  parts: readonly KeyKind[],
  values: readonly unknown[],
  out: Uint32Array,
  fill = 0,
): void {
  let at = 0
  for (let i = 0; i < values.length; i++) {
    switch (parts[i]) {
      case 'u64':
        at = writeU64(values[i] as bigint, out, at)
        break
      case 'u32':
        out[at++] = values[i] as number
        break
      case 'uint53':
        out[at++] = (values[i] as number) / 0x1_0000_0000
        out[at++] = (values[i] as number) >>> 0
        break
      case 'sha256':
        at = writeDigest(values[i] as Uint8Array, out, at)
        break
      case 'u128':
        at = writeU64((values[i] as bigint) >> 64n, out, at)
        at = writeU64(values[i] as bigint, out, at)
        break
      default:
        out[at++] = values[i] === true ? 1 : 0
    }
  }
  while (at < out.length) out[at++] = fill
}

function writeU64(value: bigint, out: Uint32Array, at: number): number {
  scratchU64[0] = value
  out[at] = scratchU32[1] as number
  out[at + 1] = scratchU32[0] as number
  return at + 2
}

function writeDigest(bytes: Uint8Array, out: Uint32Array, at: number): number {
  for (let i = 0; i < 32; i += 4) {
    out[at++] =
      ((bytes[i] as number) << 24) |
      ((bytes[i + 1] as number) << 16) |
      ((bytes[i + 2] as number) << 8) |
      (bytes[i + 3] as number)
  }
  return at
}
