/**
 * The context free data of a transaction: a list of byte strings.
 * spring: libraries/chain/include/eosio/chain/transaction.hpp
 */
import { check } from '../errors.ts'
import { MAX_ARRAY_ELEMENTS } from './constants.ts'
import { NO_BYTES } from './hex.ts'
import { Reader } from './reader.ts'
import { Writer } from './writer.ts'

/**
 * Context free data. It stays packed: a kilobyte of a compressed transaction may have a million items, and most
 * transactions that have some are refused before one of them is asked for.
 */
export class ContextFreeData {
  /** No items. */
  static readonly NONE = new ContextFreeData(NO_BYTES, 0)

  /** The list in its shortest form, which is signed; no bytes if there are no items. */
  readonly packed: Uint8Array
  /** Number of items. */
  readonly length: number
  /** Where each item begins, once one was asked for. */
  private starts: Uint32Array | undefined

  private constructor(packed: Uint8Array, length: number) {
    this.packed = packed
    this.length = length
  }

  /**
   * Reads a list, without its items; no bytes are an empty list, and bytes after the list are ignored.
   * @throws ChainError out_of_range_exception, assert_exception for impossible counts
   */
  static unpack(bytes: Uint8Array): ContextFreeData {
    if (bytes.length === 0) return ContextFreeData.NONE
    const r = new Reader(bytes)
    const length = r.skipBlobs()
    if (length === 0) return ContextFreeData.NONE
    if (!r.canonical) return ContextFreeData.of(readItems(bytes))
    return new ContextFreeData(r.slice(0, r.pos), length)
  }

  /** Packs items. @throws ChainError assert_exception if there are too many */
  static of(items: readonly Uint8Array[]): ContextFreeData {
    if (items.length === 0) return ContextFreeData.NONE
    check(
      items.length <= MAX_ARRAY_ELEMENTS,
      'assert_exception',
      'value.size() <= MAX_NUM_ARRAY_ELEMENTS: ',
    )
    const w = new Writer()
    w.array(items, (w, item) => w.blob(item))
    return new ContextFreeData(w.bytes(), items.length)
  }

  /** All items: views. */
  list(): Uint8Array[] {
    return this.length === 0 ? [] : readItems(this.packed)
  }

  /** The item with this number, counted from 0: a view. */
  at(index: number): Uint8Array | undefined {
    if (index >= this.length) return undefined
    this.starts ??= this.findItems()
    return new Reader(this.packed, this.starts[index]).blob()
  }

  private findItems(): Uint32Array {
    const starts = new Uint32Array(this.length)
    const r = new Reader(this.packed)
    r.skipBlobs((i) => (starts[i] = r.pos))
    return starts
  }
}

function readItems(bytes: Uint8Array): Uint8Array[] {
  return new Reader(bytes).array((r) => r.blob())
}
