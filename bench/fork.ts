/**
 * A fork of a chain with a large state: `node --import tsx bench/fork.ts [rows]`, after
 * `npm run build`. Makes a snapshot of a Savanna chain with so many rows, then measures a start with
 * --fork, the first block, the memory, and a second start.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Chain } from '../src/engine/chain/chain.ts'
import { writeSnapshot } from '../src/engine/snapshot/write_snapshot.ts'
import { MemoryStore } from '../src/engine/store/memory_store.ts'
import { fillState } from './support/large_state.ts'
import { NodeProcess } from './support/node_process.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const LOG = fileURLToPath(new URL('../test/fixtures/recordings/one/blocks.log', import.meta.url))
/** A block of Savanna. */
const BLOCK = 103

interface Info {
  head_block_num: number
  last_irreversible_block_num: number
}

class ForgetfulStore extends MemoryStore {
  override fill(): Promise<void> {
    return Promise.resolve()
  }
}

async function makeSnapshot(path: string): Promise<void> {
  const options = { replay: LOG, terminate_at_block: BLOCK }
  const chain = await Chain.open(options, { store: new ForgetfulStore(), now: () => 0 })
  fillState(chain.db, ROWS)
  const source = chain.snapshotSource()
  await writeSnapshot(source, path).finally(() => source.view.release())
  await chain.close()
}

/** Processor time of a process, user and system. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Peak memory of a process. */
function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1000
}

async function measured(name: string, data_dir: string, args: string[]): Promise<void> {
  const start = performance.now()
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1)
  const node = await NodeProcess.start(args, data_dir, 'info')
  const before = await node.post<Info>('/v1/chain/get_info')
  const cpu = cpuSeconds(node.pid).toFixed(1)
  console.log(`${name}: ready after ${seconds()} s, ${cpu} s of processor time`)
  for (;;) {
    const info = await node.post<Info>('/v1/chain/get_info')
    if (info.last_irreversible_block_num > before.head_block_num) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  console.log(`${name}: the first block is irreversible after ${seconds()} s`)
  console.log(`${name}: ${peakMegabytes(node.pid).toFixed(0)} MB of memory at most`)
  await node.stop(false)
}

const folder = mkdtempSync(join(tmpdir(), 'pronghorn-fork-'))
try {
  const snapshot = join(folder, 'snapshot.bin')
  await makeSnapshot(snapshot)
  console.log(`a snapshot of ${ROWS} rows: ${(statSync(snapshot).size / 1e6).toFixed(0)} MB`)
  const data_dir = join(folder, 'data')
  await measured('first start', data_dir, ['--fork', snapshot])
  await measured('second start', data_dir, ['--fork', snapshot])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
