/** Commits steps until it is killed; prints the number of each step that the store confirmed. */
import { ChangeWriter } from '../../../src/engine/state/changes.ts'
import { RocksStore } from '../../../src/engine/store/rocks_store.ts'

const store = await RocksStore.open(process.argv[2]!, { segment_bytes: 5000 })
const writer = new ChangeWriter()
for (let n = 1; ; n++) {
  for (const row of [n % 50, (n * 7) % 50]) {
    const value = Buffer.alloc(300)
    value.writeUInt32BE(n)
    const table = {
      rows: { has: () => true },
      storedSize: () => value.length,
      copyStored: (_row: number, out: Uint8Array, at: number) => out.set(value, at),
      storedKey(_row: number, out: Uint8Array, at: number) {
        const key = Buffer.alloc(12)
        key.writeUInt32BE(row)
        out.set(key, at)
        return 12
      },
    }
    writer.add({ number: 7, table }, 0)
  }
  const head = { block_num: n, block_id: new Uint8Array(32), head: new Uint8Array(1) }
  await store.commit({ ...head, changes: [writer.finish([])] })
  console.log(n)
}
