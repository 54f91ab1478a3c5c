/**
 * Blocks and checkpoints of a development chain: `node --import tsx bench/mining.ts [blocks] [rows]`.
 * Prints what an empty block costs when thousands are asked for, of the first ones of a node and of later ones, and what it
 * takes to take a checkpoint of a state with many rows in memory and to go back to it after a block with changes.
 */
import { NodeProcess } from './support/node_process.ts'
import { cpuSeconds, threadSeconds } from './support/process_use.ts'
import { TestChain } from '../test/engine/chain/support/test_chain.ts'

const BLOCKS = Number(process.argv[2] ?? 10_000)
const ROWS = Number(process.argv[3] ?? 1_000_000)
const TABLES = 100
const CHANGES = 100
const VALUE = new Uint8Array(100).fill(7)

const node = await NodeProcess.start(['--p2p-listen-endpoint='])
const threadUse = () => threadSeconds(node.pid)
for (const which of ['first', 'next', 'next']) {
  const cpu_before = cpuSeconds(node.pid)
  const before = threadUse()
  const begin = performance.now()
  await node.post('/v1/dev/mine_blocks', { blocks: BLOCKS })
  const took_s = (performance.now() - begin) / 1000
  const perBlock = (seconds: number): string => ((seconds / BLOCKS) * 1e6).toFixed(0)
  const threads = [...threadUse()].map(([id, seconds]) => seconds - (before.get(id) ?? 0))
  console.log(
    `${which} ${BLOCKS} empty blocks: ${took_s.toFixed(2)} s; CPU of a block: ${perBlock(Math.max(...threads))} us of ` +
      `the thread of the chain, ${perBlock(cpuSeconds(node.pid) - cpu_before)} us of all`,
  )
}
await node.stop()

const test = await TestChain.open()
const { chain } = test
test.start()
for (let table = 0; table < TABLES; table++) {
  const { id } = chain.db.table_id.create({
    code: 1n,
    scope: BigInt(table),
    table: 1n,
    payer: 1n,
    count: 1,
  })
  for (let i = 0; i < ROWS / TABLES; i++) chain.db.key_value.insert(id, BigInt(i), 5n, VALUE)
}
test.finish()
const first = chain.db.table_id.next_id - TABLES
const times: { take: number[]; back: number[] } = { take: [], back: [] }
for (let round = 0; round < 20; round++) {
  let start = performance.now()
  const checkpoint = chain.takeCheckpoint()
  times.take.push(performance.now() - start)
  test.start()
  for (let i = 0; i < CHANGES; i++) {
    const row = chain.db.key_value.find(first + (i % TABLES), BigInt(i))
    chain.db.key_value.update(row, 6n, VALUE)
  }
  test.finish()
  start = performance.now()
  chain.goBackTo(checkpoint)
  times.back.push(performance.now() - start)
  chain.dropCheckpoint(checkpoint)
}
const median = (values: number[]): string => values.toSorted((a, b) => a - b)[10]!.toFixed(2)
console.log(
  `checkpoint of ${ROWS} rows: taken in ${median(times.take)} ms, gone back to in ${median(times.back)} ms ` +
    `after a block with ${CHANGES} changed rows (aim: less than 5 ms)`,
)
await chain.close()
