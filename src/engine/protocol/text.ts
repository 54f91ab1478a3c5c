import { IN_HEAP_BYTES } from './hex.ts'

/**
 * Converts text of packed data, which may have any bytes, to valid UTF-8 for JSON. Invalid bytes
 * are omitted, as in the reference (spring: libraries/libfc/src/utf8.cpp prune_invalid_utf8).
 */
export function bytesToText(bytes: Uint8Array): string {
  const short = bytes.length <= IN_HEAP_BYTES ? shortAscii(bytes) : undefined
  if (short !== undefined) return short
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  if (!text.includes('\ufffd')) return text
  return pruned(bytes)
}

const ascii = Buffer.alloc(IN_HEAP_BYTES)

/** Most texts are short and ASCII. Undefined for others. */
function shortAscii(bytes: Uint8Array): string | undefined {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    if (byte >= 0x80) return undefined
    ascii[i] = byte
  }
  return ascii.toString('latin1', 0, bytes.length)
}

function pruned(bytes: Uint8Array): string {
  const kept = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length;) {
    const size = sequenceLength(bytes, at)
    for (let i = 0; i < size; i++) kept[length++] = bytes[at + i]!
    at += size || 1
  }
  return kept.toString('utf8', 0, length)
}

/** Length of the valid UTF-8 sequence at `at`; 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  if (lead < 0x80) return 1
  const size = lead >= 0xf0 && lead < 0xf8 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0
  if (size === 0 || lead >= 0xf8 || at + size > bytes.length) return 0
  let code = lead & (0x7f >> size)
  for (let i = 1; i < size; i++) {
    const next = bytes[at + i]!
    if ((next & 0xc0) !== 0x80) return 0
    code = (code << 6) | (next & 0x3f)
  }
  const smallest = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000
  const surrogate = code >= 0xd800 && code <= 0xdfff
  return code < smallest || code > 0x10ffff || surrogate ? 0 : size
}

const SPACES = ' \t\n\v\f\r'

/**
 * A text without the white space around it: the six characters of C's isspace, and no other. No
 * pattern, since one takes time quadratic in the white space within the text.
 */
export function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && SPACES.includes(text[start] as string)) start++
  while (end > start && SPACES.includes(text[end - 1] as string)) end--
  return text.slice(start, end)
}
