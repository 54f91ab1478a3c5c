import { CONTENT, ContractRows } from './contract_rows.ts'
import { byteOffset } from './heap.ts'

/** Rows of contract tables: values by `(t_id, primary)`. spring: key_value_object */
export class KeyValueTable extends ContractRows {
  /** A view, valid until the next write to the database. */
  value(row: number): Uint8Array {
    return this.heap.view(this.rows.liveBlock(row), CONTENT)
  }

  /** Bytes of the value. */
  valueSize(row: number): number {
    return this.heap.size(this.rows.liveBlock(row)) - CONTENT
  }

  /** Adds a row. Errors: `std_exception` if the key exists. */
  insert(t_id: number, primary: bigint, payer: bigint, value: Uint8Array): number {
    const row = this.createRow(t_id, primary, CONTENT + value.length)
    const address = this.rows.block(row)
    this.writeHead(address, t_id, primary, payer)
    this.heap.bytes(address).set(value, byteOffset(address) + CONTENT)
    return row
  }

  /** Replaces payer and value. */
  update(row: number, payer: bigint, value: Uint8Array): void {
    const t_id = this.t_id(row)
    const primary = this.primary(row)
    const to = this.rows.rewrite(row, CONTENT + value.length)
    this.writeHead(to, t_id, primary, payer)
    this.heap.bytes(to).set(value, byteOffset(to) + CONTENT)
    this.rows.rewritten(row, to)
  }

  undoModify(): void {
    // Keys of rows never change.
  }
}
