import { bytesEqual } from '../protocol/hex.ts'
import { CompiledCode } from './compiled_code.ts'
import type { HostContext } from './host_context.ts'

interface Entry {
  hash: Uint8Array
  code: CompiledCode
  last_used: number
}

/** Compiled codes by hash; where it is full, the one unused for longest goes. */
export class CodeCache {
  private readonly max: number
  /** By the first four bytes of the hash. */
  private readonly buckets = new Map<number, Entry[]>()
  private size = 0
  private clock = 0

  constructor(max: number) {
    this.max = max
  }

  /** Compiles on a miss; that time is not billed to the transaction. */
  get(hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext): CompiledCode {
    const key = bucketOf(hash)
    for (const entry of this.buckets.get(key) ?? []) {
      if (entry.hash === hash || bytesEqual(entry.hash, hash)) {
        entry.last_used = ++this.clock
        return entry.code
      }
    }
    ctx.pauseBillingTimer()
    try {
      return this.add(key, hash.slice(), new CompiledCode(getCode()))
    } finally {
      ctx.resumeBillingTimer()
    }
  }

  private add(key: number, hash: Uint8Array, code: CompiledCode): CompiledCode {
    if (this.size >= this.max) this.evict()
    const entries = this.buckets.get(key)
    const entry: Entry = { hash, code, last_used: ++this.clock }
    if (entries === undefined) this.buckets.set(key, [entry])
    else entries.push(entry)
    this.size += 1
    return code
  }

  private evict(): void {
    let oldest: Entry | undefined
    for (const entries of this.buckets.values()) {
      for (const entry of entries) {
        if (oldest === undefined || entry.last_used < oldest.last_used) oldest = entry
      }
    }
    if (oldest === undefined) return
    const key = bucketOf(oldest.hash)
    const left = this.buckets.get(key)!.filter((entry) => entry !== oldest)
    if (left.length === 0) this.buckets.delete(key)
    else this.buckets.set(key, left)
    this.size -= 1
  }
}

function bucketOf(hash: Uint8Array): number {
  return hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | (hash[3]! << 24)
}
