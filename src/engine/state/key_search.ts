/**
 * Binary search among the entries of a node, with the comparison written out for the widths of the
 * busiest indices: 2 words (a name or an id) and 3 words (t_id and primary key).
 */
import { COUNT, HEADER } from './node_pool.ts'

/** The first entry whose key is not below `key`; the number of entries if there is none. */
export function lowerSlot(
  page: Uint32Array,
  base: number,
  key: Uint32Array,
  width: number,
): number {
  if (width === 3) return lowerSlot3(page, base, key)
  if (width === 2) return lowerSlot2(page, base, key)
  const stride = width + 1
  const k0 = key[0] as number
  let low = 0
  let high = page[base + COUNT] as number
  while (low < high) {
    const mid = (low + high) >>> 1
    const at = base + HEADER + mid * stride
    const w0 = page[at] as number
    // The first word nearly always decides about hashes.
    if (w0 !== k0 ? w0 < k0 : isBelow(page, at, key, width)) low = mid + 1
    else high = mid
  }
  return low
}

/**
 * The first entry from `first` on whose key is above `key`; the number of entries if there is none.
 */
export function upperSlot(
  page: Uint32Array,
  base: number,
  key: Uint32Array,
  width: number,
  first: number,
): number {
  if (width === 3) return upperSlot3(page, base, key, first)
  if (width === 2) return upperSlot2(page, base, key, first)
  const stride = width + 1
  const k0 = key[0] as number
  let low = first
  let high = page[base + COUNT] as number
  while (low < high) {
    const mid = (low + high) >>> 1
    const at = base + HEADER + mid * stride
    const w0 = page[at] as number
    if (w0 !== k0 ? w0 > k0 : isAbove(page, at, key, width)) high = mid
    else low = mid + 1
  }
  return low
}

function isBelow(page: Uint32Array, at: number, key: Uint32Array, width: number): boolean {
  for (let i = 0; i < width; i++) {
    const a = page[at + i] as number
    const b = key[i] as number
    if (a !== b) return a < b
  }
  return false
}

function isAbove(page: Uint32Array, at: number, key: Uint32Array, width: number): boolean {
  for (let i = 0; i < width; i++) {
    const a = page[at + i] as number
    const b = key[i] as number
    if (a !== b) return a > b
  }
  return false
}

function lowerSlot2(page: Uint32Array, base: number, key: Uint32Array): number {
  const k0 = key[0] as number
  const k1 = key[1] as number
  let low = 0
  let high = page[base + COUNT] as number
  while (low < high) {
    const mid = (low + high) >>> 1
    const at = base + HEADER + mid * 3
    const w0 = page[at] as number
    if (w0 < k0 || (w0 === k0 && (page[at + 1] as number) < k1)) low = mid + 1
    else high = mid
  }
  return low
}

function upperSlot2(page: Uint32Array, base: number, key: Uint32Array, first: number): number {
  const k0 = key[0] as number
  const k1 = key[1] as number
  let low = first
  let high = page[base + COUNT] as number
  while (low < high) {
    const mid = (low + high) >>> 1
    const at = base + HEADER + mid * 3
    const w0 = page[at] as number
    if (w0 > k0 || (w0 === k0 && (page[at + 1] as number) > k1)) high = mid
    else low = mid + 1
  }
  return low
}

function lowerSlot3(page: Uint32Array, base: number, key: Uint32Array): number {
  const k0 = key[0] as number
  const k1 = key[1] as number
  const k2 = key[2] as number
  let low = 0
  let high = page[base + COUNT] as number
  while (low < high) {
    const mid = (low + high) >>> 1
    const at = base + HEADER + mid * 4
    const w0 = page[at] as number
    const w1 = page[at + 1] as number
    const below = w0 !== k0 ? w0 < k0 : w1 !== k1 ? w1 < k1 : (page[at + 2] as number) < k2
    if (below) low = mid + 1
    else high = mid
  }
  return low
}

function upperSlot3(page: Uint32Array, base: number, key: Uint32Array, first: number): number {
  const k0 = key[0] as number
  const k1 = key[1] as number
  const k2 = key[2] as number
  let low = first
  let high = page[base + COUNT] as number
  while (low < high) {
    const mid = (low + high) >>> 1
    const at = base + HEADER + mid * 4
    const w0 = page[at] as number
    const w1 = page[at + 1] as number
    const above = w0 !== k0 ? w0 > k0 : w1 !== k1 ? w1 > k1 : (page[at + 2] as number) > k2
    if (above) high = mid
    else low = mid + 1
  }
  return low
}
