import { ChainError } from '../errors.ts'
import { latin1FromBytes } from '../protocol/hex.ts'
import { isEmptyAbi, unpackAbi } from './abi_binary.ts'
import { abiHash } from './abi_hash.ts'
import type { AbiDef } from './abi_def.ts'
import type { CompiledAbi } from './compiled_abi.ts'
import { compileAbi } from './compiled_abi.ts'

/** Most memory that a byte of a packed ABI takes, unpacked and compiled, and that an entry takes. */
const MEMORY_OF_BYTE = 25
const MEMORY_OF_ENTRY = 4096

/** An ABI document, and what is compiled from it at its first use. */
interface Entry {
  def: AbiDef
  abi: CompiledAbi | undefined
  /** Bytes of memory, at most. */
  size: number
}

/**
 * ABIs by the hash of their bytes, so that undone, repeated and equal ABIs are unpacked and
 * compiled once. Holds the most recently used ones, as memory allows.
 */
export class AbiCache {
  private readonly limit: number
  private readonly entries = new Map<string, Entry>()
  private size = 0
  /** What was used last, and so is the last entry: often it is used again. */
  private last: { bytes: Uint8Array; entry: Entry } | undefined

  /** @param limit bytes of memory */
  constructor(limit = 128 * 1024 * 1024) {
    this.limit = limit
  }

  /**
   * The ABI document in packed bytes, not validated; undefined if the bytes are empty.
   * @throws ChainError the errors of unpacking
   */
  def(bytes: Uint8Array): AbiDef | undefined {
    return this.entry(bytes)?.def
  }

  /**
   * The ABI in packed bytes; undefined when they hold none.
   * @throws ChainError the errors of unpacking and validation; failures are not remembered
   */
  get(bytes: Uint8Array): CompiledAbi | undefined {
    const entry = this.entry(bytes)
    if (entry) entry.abi ??= compileAbi(entry.def)
    return entry?.abi
  }

  /** The ABI in packed bytes; undefined also when they hold no valid one. */
  tryGet(bytes: Uint8Array): CompiledAbi | undefined {
    try {
      return this.get(bytes)
    } catch (error) {
      if (error instanceof ChainError) return undefined
      throw error
    }
  }

  private entry(bytes: Uint8Array): Entry | undefined {
    if (this.last?.bytes === bytes) return this.last.entry
    if (isEmptyAbi(bytes)) return undefined
    const entry = this.used(bytes)
    this.last = { bytes, entry }
    return entry
  }

  /** The entry of bytes that are not empty, which becomes the last one. */
  private used(bytes: Uint8Array): Entry {
    const key = latin1FromBytes(abiHash(bytes))
    const known = this.entries.get(key)
    if (known) {
      // Move to the end: the first entry is the least recently used.
      this.entries.delete(key)
      this.entries.set(key, known)
      return known
    }
    const size = MEMORY_OF_ENTRY + bytes.length * MEMORY_OF_BYTE
    const entry = { def: unpackAbi(bytes), abi: undefined, size }
    this.entries.set(key, entry)
    this.size += entry.size
    for (const [oldest, { size }] of this.entries) {
      if (this.size <= this.limit) break
      this.entries.delete(oldest)
      this.size -= size
    }
    return entry
  }
}
