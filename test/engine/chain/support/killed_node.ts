/**
 * A process that makes blocks as fast as it can and tells each one, until somebody kills it:
 * `killed_node.ts FOLDER`.
 */
import { join } from 'node:path'
import { RocksStore } from '../../../../src/engine/store/rocks_store.ts'
import { TestChain } from './test_chain.ts'

const folder = process.argv[2]!
const store = await RocksStore.open(join(folder, 'state'), { segment_bytes: 1 << 16 })
const test = await TestChain.open({ blocks_dir: join(folder, 'blocks') }, store)
const letters = 'abcdefghijklmnopqrstuvwxyz'
for (;;) {
  test.start()
  const num = test.chain.pending!.block_num
  const name = `k${letters[Math.floor(num / 676) % 26]}${letters[Math.floor(num / 26) % 26]}${letters[num % 26]}`
  test.createAccount(name)
  const block = test.produce()
  process.stdout.write(`${block.block_num} ${block.key} ${test.chain.last_irreversible.key}\n`)
  await test.chain.settled()
  await new Promise((resolve) => setImmediate(resolve))
}
