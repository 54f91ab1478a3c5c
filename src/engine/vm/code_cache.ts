import { bytesEqual } from '../protocol/hex.ts'
import { CompiledCode } from './compiled_code.ts'
import type { HostContext } from './host_context.ts'

interface Entry {
  hash: Uint8Array
  code: CompiledCode
  last_used: number
}

/**
 * Compiled codes by hash; where it is full, the one unused for longest goes. The memories of the
 * instances kept are bounded in sum: codes unused for longest lose theirs first.
 */
export class CodeCache {
  private readonly max: number
  private readonly max_idle_bytes: number
  /** By the first four bytes of the hash. */
  private readonly buckets = new Map<number, Entry[]>()
  private size = 0
  private clock = 0
  private idle_bytes = 0

  constructor(max: number, max_idle_bytes: number) {
    this.max = max
    this.max_idle_bytes = max_idle_bytes
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

  /** Runs the action of the context with the code. */
  run(code: CompiledCode, ctx: HostContext): void {
    const before = code.idle_bytes
    try {
      code.run(ctx)
    } finally {
      this.idle_bytes += code.idle_bytes - before
      if (this.idle_bytes > this.max_idle_bytes) this.dropIdle()
    }
  }

  private dropIdle(): void {
    for (const { code } of this.oldestFirst()) {
      if (this.idle_bytes <= this.max_idle_bytes) return
      this.idle_bytes -= code.idle_bytes
      code.dropInstances()
    }
  }

  private oldestFirst(): Entry[] {
    return [...this.buckets.values()].flat().sort((a, b) => a.last_used - b.last_used)
  }

  private evict(): void {
    const oldest = this.oldestFirst()[0]
    if (oldest === undefined) return
    const key = bucketOf(oldest.hash)
    const left = this.buckets.get(key)!.filter((entry) => entry !== oldest)
    if (left.length === 0) this.buckets.delete(key)
    else this.buckets.set(key, left)
    this.idle_bytes -= oldest.code.idle_bytes
    this.size -= 1
  }
}

function bucketOf(hash: Uint8Array): number {
  return hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | (hash[3]! << 24)
}
