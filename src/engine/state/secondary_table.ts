import assert from 'node:assert/strict'
import { CONTENT, ContractRows } from './contract_rows.ts'
import type { Heap } from './heap.ts'
import { unitOffset, wordOffset } from './heap.ts'
import type { UndoLog } from './undo_log.ts'
import { MISS, NONE, OrderedIndex } from './ordered_index.ts'
import type { SecondaryKey, SecondaryKind } from './secondary_kind.ts'

const CONTENT_UNITS = CONTENT / 8
const CONTENT_WORDS = CONTENT / 4

/**
 * Rows of a secondary index of contract tables, by `(t_id, primary)` and by
 * `(t_id, secondary, primary)`. spring: contract_table_objects.hpp, secondary_index
 *
 * The secondary key `K` is a bigint for u64 and u128 and for the raw bits of float64 and float128,
 * and a pair of u128 for 256 bits. Floats are ordered as numbers, with -0 equal to +0; NaN is the
 * caller's to refuse.
 */
export class SecondaryTable<K extends SecondaryKey> extends ContractRows {
  private readonly kind: SecondaryKind<K>
  private readonly by_secondary: OrderedIndex
  /** A key that is looked up, in its stored form. */
  private readonly wanted_units: BigUint64Array
  private readonly wanted_words: Uint32Array
  private readonly other_key: Uint32Array

  constructor(heap: Heap, undo_log: UndoLog, kind: SecondaryKind<K>) {
    super(heap, undo_log)
    this.kind = kind
    this.by_secondary = new OrderedIndex(1 + 2 * kind.units + 2, undefined, heap.memory)
    this.wanted_units = new BigUint64Array(kind.units)
    this.wanted_words = new Uint32Array(this.wanted_units.buffer)
    this.other_key = new Uint32Array(this.by_secondary.width)
  }

  override get index_bytes(): number {
    return super.index_bytes + this.by_secondary.bytes
  }

  /** The row's secondary key. */
  secondary(row: number): K {
    const address = this.rows.liveBlock(row)
    return this.kind.read(this.heap.units(address), unitOffset(address) + CONTENT_UNITS)
  }

  /** First row of the table with this secondary key. */
  findSecondary(t_id: number, secondary: K): number {
    const row = this.lowerBoundSecondary(t_id, secondary)
    if (row === NONE) return NONE
    const key = this.by_secondary.key
    this.other_key.set(key)
    this.secondaryKeyOf(this.rows.block(row))
    // All parts except the primary key must be equal.
    for (let i = key.length - 3; i >= 0; i--) if (key[i] !== this.other_key[i]) return NONE
    return row
  }

  /** First row of the table that is not below `secondary`, or with it not below `primary`. */
  lowerBoundSecondary(t_id: number, secondary: K, primary?: bigint): number {
    this.setSecondaryKey(t_id, secondary, 0)
    if (primary !== undefined) this.setPrimary(primary)
    return this.by_secondary.lowerBoundWithin()
  }

  /** First row of the table that is above `secondary`, or with it above `primary`. */
  upperBoundSecondary(t_id: number, secondary: K, primary?: bigint): number {
    this.setSecondaryKey(t_id, secondary, 0xffffffff)
    if (primary !== undefined) this.setPrimary(primary)
    return this.by_secondary.upperBoundWithin()
  }

  /** The first row of the table in the order of `(secondary, primary)`. */
  firstSecondary(t_id: number): number {
    this.by_secondary.key.fill(0)[0] = t_id
    return this.by_secondary.lowerBoundWithin()
  }

  /** The last row of the table in the order of `(secondary, primary)`. */
  lastSecondary(t_id: number): number {
    this.by_secondary.key.fill(0xffffffff)[0] = t_id
    return this.by_secondary.notAboveWithin()
  }

  /** The next row of the same table in the order of `(secondary, primary)`. */
  nextSecondary(row: number): number {
    assert(this.rows.has(row), 'the row exists')
    const found = this.by_secondary.nextWithin(row)
    if (found !== MISS) return found
    this.secondaryKeyOf(this.rows.block(row))
    return this.by_secondary.upperBoundWithin()
  }

  /** The previous row of the same table in the order of `(secondary, primary)`. */
  prevSecondary(row: number): number {
    assert(this.rows.has(row), 'the row exists')
    const found = this.by_secondary.prevWithin(row)
    if (found !== MISS) return found
    this.secondaryKeyOf(this.rows.block(row))
    return this.by_secondary.belowWithin()
  }

  /**
   * Adds a row.
   * @throws ChainError `std_exception` if the primary key exists
   */
  insert(t_id: number, primary: bigint, payer: bigint, secondary: K): number {
    const row = this.createRow(t_id, primary, CONTENT + 8 * this.kind.units)
    const address = this.rows.block(row)
    this.write(address, t_id, primary, payer, secondary)
    this.indexOthers(row)
    return row
  }

  /** Replaces payer and secondary key. */
  update(row: number, payer: bigint, secondary: K): void {
    const t_id = this.t_id(row)
    const primary = this.primary(row)
    const key = this.by_secondary.key
    this.secondaryKeyOf(this.rows.block(row))
    this.other_key.set(key)
    const to = this.rows.rewrite(row, CONTENT + 8 * this.kind.units)
    this.write(to, t_id, primary, payer, secondary)
    this.secondaryKeyOf(to)
    if (!sameKey(key, this.other_key)) {
      swap(key, this.other_key)
      this.by_secondary.remove(row)
      key.set(this.other_key)
      this.insertSecondary(row)
    }
    this.rows.rewritten(row, to)
  }

  undoModify(row: number, from: number, to: number): void {
    const key = this.by_secondary.key
    this.secondaryKeyOf(to)
    this.other_key.set(key)
    this.secondaryKeyOf(from)
    if (sameKey(key, this.other_key)) return
    this.by_secondary.remove(row)
    key.set(this.other_key)
    this.insertSecondary(row)
  }

  protected override indexOthers(row: number): void {
    this.secondaryKeyOf(this.rows.block(row))
    this.insertSecondary(row)
  }

  protected override unindex(row: number): void {
    super.unindex(row)
    this.secondaryKeyOf(this.rows.block(row))
    this.by_secondary.remove(row)
  }

  private insertSecondary(row: number): void {
    assert(this.by_secondary.insert(row), 'secondary keys end with the primary key')
  }

  private write(address: number, t_id: number, primary: bigint, payer: bigint, secondary: K): void {
    this.writeHead(address, t_id, primary, payer)
    this.kind.write(this.heap.units(address), unitOffset(address) + CONTENT_UNITS, secondary)
  }

  private setSecondaryKey(t_id: number, secondary: K, primary_words: number): void {
    const key = this.by_secondary.key
    key[0] = t_id
    this.kind.write(this.wanted_units, 0, secondary)
    this.kind.order(this.wanted_words, 0, key, 1)
    key[key.length - 2] = primary_words
    key[key.length - 1] = primary_words
  }

  private setPrimary(primary: bigint): void {
    const key = this.by_secondary.key
    key[key.length - 2] = Number(primary >> 32n)
    key[key.length - 1] = Number(primary & 0xffffffffn)
  }

  /** Sets the key to that of the block at `address`. */
  private secondaryKeyOf(address: number): void {
    const key = this.by_secondary.key
    const words = this.heap.words(address)
    const at = wordOffset(address)
    key[0] = words[at + 1] as number
    this.kind.order(words, at + CONTENT_WORDS, key, 1)
    key[key.length - 2] = words[at + 3] as number
    key[key.length - 1] = words[at + 2] as number
  }
}

function sameKey(a: Uint32Array, b: Uint32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function swap(a: Uint32Array, b: Uint32Array): void {
  for (let i = 0; i < a.length; i++) {
    const word = a[i] as number
    a[i] = b[i] as number
    b[i] = word
  }
}
