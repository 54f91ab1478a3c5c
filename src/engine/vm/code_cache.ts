import { bytesEqual } from '../protocol/hex.ts'
import { CompiledCode } from './compiled_code.ts'
import type { FirstInstances } from './first_instances.ts'
import type { HostContext } from './host_context.ts'
import type { CodePreparer } from './preparation/preparer.ts'

interface Entry {
  hash: Uint8Array
  code: CompiledCode
  last_used: number
}

/** The limits of a cache. */
export interface CodeCacheLimits {
  /** Codes. */
  max_codes: number
  /** Total bytes of their instrumented modules. Machine code is several times as long. */
  max_module_bytes: number
  /** Memory of the instances that wait for the next action, in sum. */
  max_idle_bytes: number
}

/**
 * A cache of compiled codes by hash. When it is full, the least recently used code is removed. The
 * total memory of kept instances is bounded: the least recently used codes lose theirs first.
 */
export class CodeCache {
  private readonly limits: CodeCacheLimits
  private readonly preparer: CodePreparer
  private readonly first_instances: FirstInstances
  /** By the first four bytes of the hash. */
  private readonly buckets = new Map<number, Entry[]>()
  private size = 0
  private clock = 0
  private idle_bytes = 0
  private module_bytes = 0

  constructor(limits: CodeCacheLimits, preparer: CodePreparer, first_instances: FirstInstances) {
    this.limits = limits
    this.preparer = preparer
    this.first_instances = first_instances
  }

  /** Runs the action of the context with the code of this hash, which `getCode` answers. */
  run(hash: Uint8Array, getCode: () => Uint8Array, ctx: HostContext): void {
    const code = this.get(hash)
    const { idle_bytes, module_bytes } = code
    try {
      code.run(ctx, getCode)
    } finally {
      this.idle_bytes += code.idle_bytes - idle_bytes
      this.module_bytes += code.module_bytes - module_bytes
      if (this.idle_bytes > this.limits.max_idle_bytes) this.dropIdle()
      while (this.module_bytes > this.limits.max_module_bytes && this.size > 1) this.evict()
    }
  }

  /** Whether a code is in the cache: it was run. */
  has(hash: Uint8Array): boolean {
    return this.find(hash) !== undefined
  }

  private find(hash: Uint8Array): Entry | undefined {
    for (const entry of this.buckets.get(bucketOf(hash)) ?? []) {
      if (entry.hash === hash || bytesEqual(entry.hash, hash)) return entry
    }
    return undefined
  }

  private get(hash: Uint8Array): CompiledCode {
    const entry = this.find(hash)
    if (entry !== undefined) {
      entry.last_used = ++this.clock
      return entry.code
    }
    const own = hash.slice()
    const code = new CompiledCode(own, this.preparer, this.first_instances)
    return this.add(bucketOf(hash), own, code)
  }

  private add(key: number, hash: Uint8Array, code: CompiledCode): CompiledCode {
    if (this.size >= this.limits.max_codes) this.evict()
    const entries = this.buckets.get(key)
    const entry: Entry = { hash, code, last_used: ++this.clock }
    if (entries === undefined) this.buckets.set(key, [entry])
    else entries.push(entry)
    this.size += 1
    return code
  }

  private dropIdle(): void {
    for (const { code } of this.oldestFirst()) {
      if (this.idle_bytes <= this.limits.max_idle_bytes) return
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
    this.module_bytes -= oldest.code.module_bytes
    this.size -= 1
  }
}

function bucketOf(hash: Uint8Array): number {
  return hash[0]! | (hash[1]! << 8) | (hash[2]! << 16) | (hash[3]! << 24)
}
