/**
 * What the network costs: `node --import tsx bench/network.ts [blocks] [transfers a block]`, on loopback
 * addresses, each node in a process of its own (after `npm run build`):
 *
 * - a node that gets a chain of transfers from a peer, beside one that replays the same log with all checks;
 * - the time from a producer's block to its acceptance at a peer, beside its execution there;
 * - transfers that are sent to a relay and executed by the producer, beside those sent to it directly.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signingDigest } from '../src/engine/crypto/digests.ts'
import { privateKeyToString, publicKeyOf, signDigest } from '../src/engine/crypto/keys.ts'
import { genesisToJson, systemClock } from '../src/engine/index.ts'
import { defaultGenesis } from '../src/engine/protocol/genesis.ts'
import { publicKeyToString } from '../src/engine/protocol/key.ts'
import {
  makePackedTransaction,
  type PackedTransaction,
} from '../src/engine/protocol/packed_transaction.ts'
import { slotToUs } from '../src/engine/protocol/time.ts'
import {
  packTransaction,
  refBlockOf,
  plainTransaction,
} from '../src/engine/protocol/transaction.ts'
import { packOne } from '../src/engine/protocol/writer.ts'
import { Token } from '../test/engine/chain/support/token.ts'
import { DEVELOPMENT_SECRET, TestChain } from '../test/engine/chain/support/test_chain.ts'
import { addressOf } from '../test/net/support/network.ts'
import { TestNode } from '../test/support/test_node.ts'
import { freePort } from '../test/support/free_port.ts'
import { NodeProcess } from './support/node_process.ts'
import { makeTokenAccounts } from './support/token_accounts.ts'
import { TokenChain } from './support/token_chain.ts'

const BLOCKS = Number(process.argv[2] ?? 2000)
const TRANSFERS = Number(process.argv[3] ?? 200)
const GENESIS_TIME = '2026-01-01T00:00:00.000'
const RELAYED = 2000
const BATCH = 100
const LATENCIES = 20

interface Info {
  head_block_num: number
}

const rate = (value: number): string => Math.round(value).toLocaleString('en')
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** A block log of token transfers, each signed, and its genesis, which is not that of a development chain. */
async function makeLog(folder: string, count: number): Promise<{ head: number; bytes: number }> {
  const initial_timestamp = Date.parse(`${GENESIS_TIME}Z`) * 1000
  const genesis = {
    ...(genesisToJson(defaultGenesis()) as object),
    initial_timestamp: GENESIS_TIME,
  }
  writeFileSync(join(folder, 'genesis.json'), JSON.stringify(genesis))
  const chain = await TestChain.open({
    blocks_dir: folder,
    genesis: { ...defaultGenesis(), initial_timestamp },
    sync_blocks: false,
  })
  const token = new Token()
  makeTokenAccounts(chain, token)
  for (let block = 0; block < count; block++) {
    for (let i = 0; i < TRANSFERS; i++) {
      const [from, to] = i % 2 ? ['alice', 'bob'] : ['bob', 'alice']
      chain.push([token.transfer(from!, to!, '0.0001 TOK')])
    }
    chain.produce()
  }
  chain.produce(2)
  await chain.chain.close()
  const head = chain.chain.last_irreversible.block_num
  return { head, bytes: statSync(join(folder, 'blocks.log')).size }
}

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
    const { head, bytes } = await makeLog(folder, BLOCKS)
    const log = ['--replay', join(folder, 'blocks.log')]
    const genesis = ['--genesis-json', join(folder, 'genesis.json')]
    const replay_s = await seconds([...log, '--force-all-checks'], head)
    const address = `127.0.0.1:${await freePort()}`
    const source = await NodeProcess.start([...log, '--p2p-listen-endpoint', address])
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

/** Time from a producer's block to its acceptance at a peer. Both are in this process, with one thread for all. */
async function live(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-network-'))
  const token = new Token()
  const key = publicKeyToString(publicKeyOf(DEVELOPMENT_SECRET))
  const provider = `${key}=KEY:${privateKeyToString(DEVELOPMENT_SECRET)}`
  const nodes: TestNode[] = []
  const start = async (...argv: string[]): Promise<TestNode> => {
    const log = ['--replay', join(folder, 'blocks.log')]
    const node = await TestNode.start({ argv: [...log, ...argv], clock: systemClock })
    nodes.push(node)
    return node
  }
  try {
    await makeLog(folder, 4)
    const producer = await start(
      '--p2p-listen-endpoint=127.0.0.1:0',
      '--enable-stale-production',
      '--producer-name=eosio',
      `--signature-provider=${provider}`,
    )
    const peer = await start(`--p2p-peer-address=${addressOf(producer)}`)
    const made = new Map<string, number>()
    const delays: number[] = []
    const executions: number[] = []
    let begun = 0
    producer.engine.chain.events.on('blockAccepted', ({ key }) => made.set(key, performance.now()))
    peer.engine.chain.events.on('blockStarted', ({ status }) => {
      if (status !== 'ephemeral') begun = performance.now()
    })
    peer.engine.chain.events.on('blockAccepted', ({ key, block }) => {
      const at = made.get(key)
      if (at === undefined || block.transactions.length < TRANSFERS) return
      delays.push(performance.now() - at)
      executions.push(performance.now() - begun)
    })
    while (delays.length < LATENCIES) {
      const before = producer.head_block_num
      const sent = Array.from({ length: TRANSFERS }, (_, i) =>
        producer.engine.services.production.submit(transfer(producer, token, `${before} ${i}`), {
          return_failure_trace: false,
        }),
      )
      await Promise.all(sent)
      while (producer.head_block_num === before) await sleep(5)
      // The next transfers must not keep this thread from the block.
      while (peer.head_block_num < producer.head_block_num) await sleep(1)
    }
    const [delay, execution] = [median(delays), median(executions)]
    console.log(
      `a block of ${TRANSFERS} transfers is accepted at a peer after ${delay.toFixed(1)} ms, ` +
        `executed there in ${execution.toFixed(1)} ms: ratio ${(delay / execution).toFixed(2)} (aim: at most 1.3)`,
    )
  } finally {
    for (const node of nodes.reverse()) await node.stop()
    rmSync(folder, { recursive: true })
  }
}

function transfer(node: TestNode, token: Token, memo: string): PackedTransaction {
  const { head, chain_id } = node.engine.chain
  const trx = {
    expiration: Math.floor(slotToUs(head.timestamp) / 1_000_000) + 60,
    ...refBlockOf(head.id),
    ...plainTransaction([token.transfer('alice', 'bob', '0.0001 TOK', memo)]),
  }
  const digest = signingDigest(chain_id, packOne(packTransaction, trx))
  return makePackedTransaction(trx, [signDigest(DEVELOPMENT_SECRET, digest)])
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
await live()
await relay()
process.exit(0)
