/**
 * The state at one moment, while the database changes.
 *
 * A view has the addresses of all rows' blocks in the order of each table, and a hold on the heap:
 * no block of a held heap is written or reused, so nothing is copied. It costs four bytes for each
 * row, and what is changed or removed in the meantime stays in memory until the view is released.
 */
import assert from 'node:assert/strict'
import { CONTENT as CONTRACT_ROW_CONTENT } from './contract_rows.ts'
import type { Heap } from './heap.ts'
import { wordOffset } from './heap.ts'
import { CONTENT as OBJECT_CONTENT } from './object_table.ts'
import type { ContractTableName, ObjectTableName } from './tables.ts'

/** The position of the primary key in the block of a contract row; payer and content follow. */
const PRIMARY = CONTRACT_ROW_CONTENT - 16

/** Objects in the order of their ids. Rows are numbered from 0 here. */
export class ObjectTableView {
  private readonly heap: Heap
  private readonly blocks: Uint32Array

  constructor(heap: Heap, blocks: Uint32Array) {
    this.heap = heap
    this.blocks = blocks
  }

  /** Number of rows. */
  get size(): number {
    return this.blocks.length
  }

  /** The id of the object in a row. */
  id(row: number): number {
    const address = this.blocks[row] as number
    const words = this.heap.words(address)
    const at = wordOffset(address)
    return (words[at + 2] as number) * 0x1_0000_0000 + (words[at + 1] as number)
  }

  /** The packed row: a view. */
  packed(row: number): Uint8Array {
    return this.heap.view(this.blocks[row] as number, OBJECT_CONTENT)
  }

  /** The row with an id, or -1. */
  find(id: number): number {
    let low = 0
    let high = this.size - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const found = this.id(middle)
      if (found === id) return middle
      if (found < id) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/** Rows of a contract table in the order of `(t_id, primary)`. Rows are numbered from 0 here. */
export class ContractTableView {
  private readonly heap: Heap
  private readonly blocks: Uint32Array

  constructor(heap: Heap, blocks: Uint32Array) {
    this.heap = heap
    this.blocks = blocks
  }

  /** Number of rows. */
  get size(): number {
    return this.blocks.length
  }

  /** The number of the contract table that a row belongs to. */
  t_id(row: number): number {
    const address = this.blocks[row] as number
    return this.heap.words(address)[wordOffset(address) + 1] as number
  }

  /** Primary key, payer and content (the value or the secondary key): a view. */
  stored(row: number): Uint8Array {
    return this.heap.view(this.blocks[row] as number, PRIMARY)
  }
}

/** See above. It must be released. */
export class StateView {
  private readonly heap: Heap
  private readonly objects: ReadonlyMap<ObjectTableName, Uint32Array>
  private readonly contracts: ReadonlyMap<ContractTableName, Uint32Array>
  private held = true

  constructor(
    heap: Heap,
    objects: ReadonlyMap<ObjectTableName, Uint32Array>,
    contracts: ReadonlyMap<ContractTableName, Uint32Array>,
  ) {
    heap.hold()
    this.heap = heap
    this.objects = objects
    this.contracts = contracts
  }

  /** The objects of a table as they were when the view was taken. */
  objectTable(name: ObjectTableName): ObjectTableView {
    assert(this.held, 'a released view is not read')
    return new ObjectTableView(this.heap, this.objects.get(name) as Uint32Array)
  }

  /** The rows of contracts as they were when the view was taken. */
  contractTable(name: ContractTableName): ContractTableView {
    assert(this.held, 'a released view is not read')
    return new ContractTableView(this.heap, this.contracts.get(name) as Uint32Array)
  }

  /** Ends the view; may be called again. */
  release(): void {
    if (this.held) this.heap.release()
    this.held = false
  }
}
