/** What tests write into stores, and what they read from them. */
import { ChangeWriter } from '../../../src/engine/state/changes.ts'
import type { ChangeSet } from '../../../src/engine/state/changes.ts'
import type { RowSink, Store } from '../../../src/engine/store/store.ts'

export type Change = { table: number; key: number; value: Uint8Array | undefined }

export const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** Keys of 12 bytes in tables 7 to 9, of 8 bytes in the others, as the state has. */
export function keyBytes(table: number, key: number): Uint8Array {
  const bytes = Buffer.alloc(table >= 7 && table <= 9 ? 12 : 8)
  bytes.writeUInt32BE((key * 0x01010101) >>> 0, bytes.length - 8)
  return bytes
}

export function changeSet(changes: Change[], next_ids: [number, number][] = []): ChangeSet {
  const writer = new ChangeWriter()
  for (const { table, key, value } of changes) {
    const bytes = keyBytes(table, key)
    const source = {
      rows: { has: () => value !== undefined },
      storedSize: () => value!.length,
      copyStored: (_row: number, out: Uint8Array, at: number) => out.set(value!, at),
      storedKey(_row: number, out: Uint8Array, at: number) {
        out.set(bytes, at)
        return bytes.length
      },
    }
    writer.add({ number: table, table: source }, 0)
  }
  return writer.finish(next_ids)
}

/** Takes rows into a map, as text. */
export class MapSink implements RowSink {
  readonly rows = new Map<string, string>()
  readonly next_ids = new Map<number, number>()

  putRow(table: number, key: Uint8Array, value: Uint8Array): void {
    this.rows.set(`${table} ${hex(key)}`, hex(value))
  }

  removeRow(table: number, key: Uint8Array): void {
    this.rows.delete(`${table} ${hex(key)}`)
  }

  loadNextId(table: number, next_id: number): void {
    this.next_ids.set(table, next_id)
  }
}

export async function rowsOf(store: Store): Promise<Record<string, string>> {
  const sink = new MapSink()
  await store.load(sink)
  return Object.fromEntries([...sink.rows].sort())
}

/** The head of a commit. */
export const at = (block_num: number) => ({
  block_num,
  block_id: new Uint8Array(32).fill(block_num),
  head: new Uint8Array([1, 2, block_num]),
})
