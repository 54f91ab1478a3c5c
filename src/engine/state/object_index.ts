import assert from 'node:assert/strict'
import type { IndexDefinition, KeyKind } from './index_key.ts'
import { keyWidth, writeKey } from './index_key.ts'
import { MISS, NONE, OrderedIndex } from './ordered_index.ts'
import { RecentRows } from './recent_rows.ts'
import type { SharedMemory } from './shared_memory.ts'

/** One unique index of an object table. */
export class ObjectIndex<T> {
  readonly tree: OrderedIndex
  readonly parts: readonly KeyKind[]
  /** Rows found last. Emptied when a key is taken from a row or given to another. */
  readonly recent: RecentRows<T & { readonly id: number }>
  private readonly key: IndexDefinition<T>['key']
  private readonly saved: Uint32Array

  constructor(definition: IndexDefinition<T>, memory: SharedMemory) {
    this.parts = definition.parts
    this.key = definition.key
    this.tree = new OrderedIndex(keyWidth(definition.parts), undefined, memory)
    this.saved = new Uint32Array(this.tree.width)
    this.recent = new RecentRows(this.tree.width)
  }

  /** Adds a row; false if another row has its key. */
  tryInsert(row: T & { readonly id: number }, number: number): boolean {
    this.setKey(row)
    return this.tree.insert(number)
  }

  /** Adds a row, whose key no other row may have. */
  insert(row: T & { readonly id: number }, number: number): void {
    assert(this.tryInsert(row, number), 'keys are unique')
  }

  /** Adds a row to the index of ids. */
  insertId(id: number, number: number): void {
    assert(this.tryInsertId(id, number), 'keys are unique')
  }

  /** Adds a row to the index of ids; false if another row has its id. */
  tryInsertId(id: number, number: number): boolean {
    const { tree } = this
    tree.key[0] = id / 0x1_0000_0000
    tree.key[1] = id >>> 0
    return tree.insert(number)
  }

  /** Removes a row, whose key must be the one that the index has for it. */
  remove(row: T & { readonly id: number }, number: number): void {
    this.recent.clear()
    this.setKey(row)
    this.tree.remove(number)
  }

  /** Remembers the key of a row that is going to change. */
  saveKey(row: T & { readonly id: number }): void {
    writeKey(this.parts, this.key(row), this.saved)
  }

  /** Whether the row's key differs from the saved one. */
  hasMoved(row: T & { readonly id: number }): boolean {
    this.setKey(row)
    const { key } = this.tree
    for (let i = 0; i < key.length; i++) if (key[i] !== this.saved[i]) return true
    return false
  }

  /** Updates the index after a change of a row whose old key was saved. */
  update(row: T & { readonly id: number }, number: number): void {
    if (!this.hasMoved(row)) return
    this.recent.clear()
    this.tree.key.set(this.saved)
    this.tree.remove(number)
    this.insert(row, number)
  }

  /** Undo: gives a row its key, even if another row has it; see ObjectTable. */
  restore(row: T & { readonly id: number }, number: number): void {
    this.recent.clear()
    this.setKey(row)
    this.tree.put(number)
  }

  /** Undo: takes a row's key away, unless another row has got it back. */
  withdraw(row: T & { readonly id: number }, number: number): void {
    this.setKey(row)
    this.tree.removeIf(number)
  }

  /** Undo: gives a row its key instead of the saved one. */
  restoreFromSaved(row: T & { readonly id: number }, number: number): void {
    if (this.hasMoved(row)) {
      this.tree.key.set(this.saved)
      this.tree.removeIf(number)
    }
    this.restore(row, number)
  }

  /** The row after `row` in key order, or NONE. */
  next(row: T & { readonly id: number }, number: number): number {
    const found = this.tree.nextHinted(number)
    if (found !== MISS) return found
    this.setKey(row)
    return this.tree.upperBound()
  }

  /** The row before `row` in key order, or NONE. */
  prev(row: T & { readonly id: number }, number: number): number {
    const found = this.tree.prevHinted(number)
    if (found !== MISS) return found
    this.setKey(row)
    return this.tree.below()
  }

  /**
   * Row numbers from the first key not below `lower` to the last one not above `upper` or starting with
   * it; or backwards. Changes of the tree between the steps are allowed.
   */
  *range(
    lower: readonly unknown[],
    upper: readonly unknown[],
    reverse: boolean,
  ): Generator<number> {
    const { tree, parts } = this
    const end = new Uint32Array(tree.width)
    const at = new Uint32Array(tree.width)
    writeKey(parts, reverse ? lower : upper, end, reverse ? 0 : 0xffffffff)
    writeKey(parts, reverse ? upper : lower, at, reverse ? 0xffffffff : 0)
    tree.key.set(at)
    let row = reverse ? tree.notAbove() : tree.lowerBound()
    while (row !== NONE) {
      tree.keyOf(row, at)
      const order = compareKeys(at, end)
      if (reverse ? order < 0 : order > 0) return
      yield row
      tree.key.set(at)
      row = reverse ? tree.below() : tree.upperBound()
    }
  }

  private setKey(row: T & { readonly id: number }): void {
    writeKey(this.parts, this.key(row), this.tree.key)
  }
}

function compareKeys(a: Uint32Array, b: Uint32Array): number {
  for (let i = 0; i < a.length; i++) {
    const x = a[i] as number
    const y = b[i] as number
    if (x !== y) return x < y ? -1 : 1
  }
  return 0
}
