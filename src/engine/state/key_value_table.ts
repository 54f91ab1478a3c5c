import { CONTENT, ContractRows } from './contract_rows.ts'
import { byteOffset } from './heap.ts'

/** Bytes of a value that are copied at once. */
const PIECE = 64 * 1024

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

  /**
   * Adds a row.
   * @throws ChainError `std_exception` if the key exists
   * @param between is called between the pieces of a long value; after what it throws the session
   *   must be undone, as the value is not complete
   */
  insert(
    t_id: number,
    primary: bigint,
    payer: bigint,
    value: Uint8Array,
    between?: () => void,
  ): number {
    const row = this.createRow(t_id, primary, CONTENT + value.length)
    const address = this.rows.block(row)
    this.writeHead(address, t_id, primary, payer)
    this.writeValue(address, value, between)
    return row
  }

  /** Replaces payer and value; `between` as in {@link insert}. */
  update(row: number, payer: bigint, value: Uint8Array, between?: () => void): void {
    const t_id = this.t_id(row)
    const primary = this.primary(row)
    const to = this.rows.rewrite(row, CONTENT + value.length)
    this.writeHead(to, t_id, primary, payer)
    this.rows.rewritten(row, to)
    this.writeValue(to, value, between)
  }

  private writeValue(address: number, value: Uint8Array, between: (() => void) | undefined): void {
    const bytes = this.heap.bytes(address)
    const start = byteOffset(address) + CONTENT
    if (value.length <= PIECE) return bytes.set(value, start)
    for (let at = 0; at < value.length; at += PIECE) {
      bytes.set(value.subarray(at, at + PIECE), start + at)
      between?.()
    }
  }

  undoModify(): void {
    // Keys of rows never change.
  }
}
