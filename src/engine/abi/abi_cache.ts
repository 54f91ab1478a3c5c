import { sha256 } from '../crypto/hash.ts'
import { toHex } from '../protocol/hex.ts'
import { isEmptyAbi, unpackAbi } from './abi_binary.ts'
import type { CompiledAbi } from './compiled_abi.ts'
import { compileAbi } from './compiled_abi.ts'

/**
 * Compiled ABIs by the hash of their bytes, so that undone, repeated and equal ABIs are compiled
 * once. Holds the most recently used ones, up to a total size of their bytes.
 */
export class AbiCache {
  private readonly limit: number
  private readonly entries = new Map<string, { abi: CompiledAbi; size: number }>()
  private size = 0

  /** `limit`: bytes of packed ABIs that the cache may stand for. */
  constructor(limit = 16 * 1024 * 1024) {
    this.limit = limit
  }

  /**
   * The ABI in packed bytes; undefined when they hold none. Throws what unpacking and validation
   * throw; failures are not remembered.
   */
  get(bytes: Uint8Array, checktime?: () => void): CompiledAbi | undefined {
    if (isEmptyAbi(bytes)) return undefined
    const key = toHex(sha256(bytes))
    const known = this.entries.get(key)
    if (known) {
      // Move to the end: the first entry is the least recently used.
      this.entries.delete(key)
      this.entries.set(key, known)
      return known.abi
    }
    const abi = compileAbi(unpackAbi(bytes), checktime)
    this.add(key, abi, bytes.length)
    return abi
  }

  private add(key: string, abi: CompiledAbi, size: number): void {
    this.entries.set(key, { abi, size })
    this.size += size
    for (const [oldest, entry] of this.entries) {
      if (this.size <= this.limit) break
      this.entries.delete(oldest)
      this.size -= entry.size
    }
  }
}
