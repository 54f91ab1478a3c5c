/**
 * What the network costs: `node --import tsx bench/network.ts [blocks] [transfers a block]`, on loopback
 * addresses, each node in a process of its own (after `npm run build`):
 *
 * - a node that gets a chain of transfers from a peer, beside one that replays the same log with all checks;
 * - transfers that are sent to a relay and executed by the producer, beside those sent to it directly.
 *
 * `bench/acceptance.ts` measures the way of a new block.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../test/support/free_port.ts'
import { NodeProcess } from './support/node_process.ts'
import { TokenChain } from './support/token_chain.ts'
import { makeTransferLog } from './support/transfer_log.ts'

const BLOCKS = Number(process.argv[2] ?? 2000)
const TRANSFERS = Number(process.argv[3] ?? 200)
const RELAYED = 2000
const BATCH = 100

interface Info {
  head_block_num: number
}

const rate = (value: number): string => Math.round(value).toLocaleString('en')

const infoOf = (node: NodeProcess) => node.post<Info>('/v1/chain/get_info')

/** Looks at the head at this interval, which takes less than a hundredth of the node's time; milliseconds. */
const LOOK_MS = 100

async function untilHead(node: NodeProcess, block_num: number): Promise<void> {
  while ((await infoOf(node)).head_block_num < block_num) await sleep(LOOK_MS)
}

/** Seconds from the start of the program until it has the block. */
async function seconds(argv: string[], block_num: number): Promise<number> {
  const began = performance.now()
  const node = await NodeProcess.start(['--p2p-listen-endpoint=', ...argv])
  await untilHead(node, block_num)
  const taken = (performance.now() - began) / 1000
  await node.stop()
  return taken
}

async function sync(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-network-'))
  try {
    const { head, bytes } = await makeTransferLog(folder, BLOCKS, TRANSFERS)
    const log = ['--replay', join(folder, 'blocks.log')]
    const genesis = ['--genesis-json', join(folder, 'genesis.json')]
    const replay_s = await seconds([...log, '--force-all-checks'], head)
    const address = `127.0.0.1:${await freePort()}`
    // A peer of a network is not in its first seconds, in which a node compiles what it may need.
    const listen = ['--p2p-listen-endpoint', address, '--warm-up=false']
    const source = await NodeProcess.start([...log, ...listen])
    const sync_s = await seconds([...genesis, '--p2p-peer-address', address], head)
    await source.stop()
    console.log(`${head} blocks of ${TRANSFERS} transfers, ${(bytes / 1e6).toFixed(0)} MB:`)
    for (const [what, taken] of [
      ['replayed from the log with all checks', replay_s],
      ['from a peer', sync_s],
    ] as const) {
      const mb = (bytes / 1e6 / taken).toFixed(1)
      console.log(`  ${what.padEnd(40)} ${rate(head / taken)} blocks/s, ${mb} MB/s`)
    }
    console.log(`  ratio ${(replay_s / sync_s).toFixed(2)} (aim: at least 0.9)`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Transfers a second at the producer, sent to it or to a node that relays them. */
async function relay(): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`
  const producer = await NodeProcess.start(['--p2p-listen-endpoint', address])
  const peer = await NodeProcess.start(['--p2p-listen-endpoint=', '--p2p-peer-address', address])
  try {
    const chain = new TokenChain(producer)
    await chain.prepare()
    await untilHead(peer, (await infoOf(producer)).head_block_num)
    for (const [what, node] of [
      ['sent to the producer', producer],
      ['sent to a relay', peer],
    ] as const) {
      const file = join(producer.data_dir, 'transfers')
      await chain.writeTransfers(file, RELAYED)
      const lines = readFileSync(file, 'utf8').trim().split('\n')
      const all = lines.map((line) => (JSON.parse(line) as { transaction: unknown }).transaction)
      const balance = await balanceOf(producer)
      const began = performance.now()
      for (let i = 0; i < RELAYED; i += BATCH) {
        await node.post('/v1/chain/push_transactions', all.slice(i, i + BATCH))
      }
      while ((await balanceOf(producer)) < balance + RELAYED) await sleep(5)
      const taken = (performance.now() - began) / 1000
      console.log(`${RELAYED} transfers ${what.padEnd(22)} ${rate(RELAYED / taken)} transactions/s`)
      // The same transfers again need another reference block.
      await chain.untilBlock((await infoOf(producer)).head_block_num + 2)
      await untilHead(peer, (await infoOf(producer)).head_block_num)
    }
  } finally {
    await peer.stop()
    await producer.stop()
  }
}

/** Bob's tokens, in their smallest unit. */
async function balanceOf(node: NodeProcess): Promise<number> {
  const [text] = await node.post<string[]>('/v1/chain/get_currency_balance', {
    code: 'eosio.token',
    account: 'bob',
    symbol: 'SYS',
  })
  return Math.round(Number(text!.split(' ')[0]) * 10_000)
}

await sync()
await relay()
process.exit(0)
