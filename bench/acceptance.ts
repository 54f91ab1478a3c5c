/**
 * The time from a producer's block of transfers to its acceptance at a peer, beside its execution there:
 * `node --import tsx bench/acceptance.ts [blocks] [transfers a block]`. The peer has executed the transfers before, as
 * relayed transactions. Both nodes are in one process, with one thread for both, and then in two.
 *
 * The time begins when the block is on the producer's disk, before it is given to the socket. It ends when the peer has
 * executed the block, has it on its disk, and has told its other parts; the execution ends then, too.
 *
 * V8 compiles the code for blocks only when it has run some hundred times, so the first blocks, {@link DROPPED}, do not
 * count. The least times say what the work takes: others may use the processors, and in one process the producer's
 * next block begins first.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signingDigest } from '../src/engine/crypto/digests.ts'
import { privateKeyToString, publicKeyOf, signDigest } from '../src/engine/crypto/keys.ts'
import { systemClock } from '../src/engine/index.ts'
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
import { DEVELOPMENT_SECRET } from '../test/engine/chain/support/test_chain.ts'
import { Token } from '../test/engine/chain/support/token.ts'
import { freePort } from '../test/support/free_port.ts'
import { TestNode } from '../test/support/test_node.ts'
import { makeTransferLog } from './support/transfer_log.ts'

/** The first blocks, which do not count. */
const DROPPED = 20
/** The young generation of a node's thread. */
const V8_OPTIONS = ['--max-semi-space-size=64']

/** What a process does. */
type Role = 'both' | 'producer' | 'peer'

/** What it says of a block: it was made, or accepted; times in microseconds, the same in all processes. */
type Report =
  | { kind: 'ready' | 'done' }
  | { kind: 'made'; key: string; at_us: number; transfers: number }
  | { kind: 'accepted'; key: string; at_us: number; execution_us: number }

interface Task {
  role: Role
  folder: string
  port: number
  blocks: number
  transfers: number
}

const nowUs = (): number => Number(process.hrtime.bigint()) / 1000
const report = (message: Report): void => void process.send!(message)

async function startProducer({ folder, port }: Task): Promise<TestNode> {
  const key = publicKeyToString(publicKeyOf(DEVELOPMENT_SECRET))
  const provider = `${key}=KEY:${privateKeyToString(DEVELOPMENT_SECRET)}`
  const node = await startNode(folder, 'producer', [
    `--p2p-listen-endpoint=127.0.0.1:${port}`,
    '--enable-stale-production',
    '--producer-name=eosio',
    `--signature-provider=${provider}`,
  ])
  const { events } = node.engine.chain
  // The network is the first that listens to it.
  const emit = events.emit.bind(events)
  events.emit = (name, event) => {
    if (name !== 'blockStored') return emit(name, event)
    const at_us = nowUs()
    emit(name, event)
    const { key, transactions } = node.engine.chain.head
    setImmediate(() => report({ kind: 'made', key, at_us, transfers: transactions.length }))
  }
  return node
}

async function startPeer({ folder, port }: Task): Promise<TestNode> {
  const node = await startNode(folder, 'peer', [`--p2p-peer-address=127.0.0.1:${port}`])
  const { events } = node.engine.chain
  let begun_us = 0
  events.on('blockStarted', ({ status }) => {
    if (status !== 'ephemeral') begun_us = nowUs()
  })
  events.on('blockAccepted', ({ key }) => {
    const at_us = nowUs()
    const execution_us = at_us - begun_us
    setImmediate(() => report({ kind: 'accepted', key, at_us, execution_us }))
  })
  return node
}

function startNode(folder: string, name: string, argv: string[]): Promise<TestNode> {
  return TestNode.start({
    argv: ['--replay', join(folder, 'blocks.log'), ...argv],
    folder: join(folder, name),
    clock: systemClock,
  })
}

/** Gives the producer all transfers of a block when the block begins. */
async function produce(node: TestNode, { blocks, transfers }: Task): Promise<void> {
  const token = new Token()
  for (let block = 0; block < blocks; block++) {
    const before = node.head_block_num
    const sent = Array.from({ length: transfers }, (_, i) =>
      node.engine.services.production.submit(transfer(node, token, `${before} ${i}`), {
        return_failure_trace: false,
      }),
    )
    await Promise.all(sent)
    while (node.head_block_num === before) await sleep(5)
    // In one process, the next transfers must not keep the thread from the block.
    await sleep(100)
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

/** The work of a process that {@link measure} started. */
async function work(task: Task): Promise<void> {
  const { role } = task
  const producer = role === 'peer' ? undefined : await startProducer(task)
  const peer = role === 'producer' ? undefined : await startPeer(task)
  process.once('message', () => {
    void (async () => {
      if (producer) {
        await produce(producer, task)
        await sleep(1000)
      }
      await peer?.stop()
      await producer?.stop()
      report({ kind: 'done' })
      process.disconnect()
    })()
  })
  report({ kind: 'ready' })
}

async function measure(roles: readonly Role[], blocks: number, transfers: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pronghorn-acceptance-'))
  try {
    await makeTransferLog(folder, 4, transfers)
    const port = await freePort()
    const made = new Map<string, number>()
    const delays: number[] = []
    const executions: number[] = []
    const count = (message: Report): void => {
      if (message.kind === 'made' && message.transfers >= transfers) {
        made.set(message.key, message.at_us)
      }
      if (message.kind !== 'accepted') return
      // The order of messages of two processes is open.
      setTimeout(() => {
        const at_us = made.get(message.key)
        if (at_us === undefined) return
        delays.push(message.at_us - at_us)
        executions.push(message.execution_us)
      }, 100)
    }
    const children = []
    for (const role of roles) {
      const task: Task = { role, folder, port, blocks, transfers }
      children.push(await startChild(task, count))
    }
    // Time to connect.
    await sleep(2000)
    const [first, ...others] = children
    first!.child.send('begin')
    await first!.ended
    for (const { child, ended } of others) {
      child.send('end')
      await ended
    }
    print(roles.length, transfers, delays.slice(DROPPED), executions.slice(DROPPED))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function startChild(task: Task, take: (message: Report) => void) {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(task)], {
    execArgv: [...process.execArgv, ...V8_OPTIONS],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`a ${task.role} ended before it was ready`)))
    child.on('message', (message: Report) => {
      if (message.kind === 'ready') resolve()
      else take(message)
    })
  })
  return { child, ended }
}

function print(processes: number, transfers: number, delays: number[], executions: number[]): void {
  const where = processes === 1 ? 'in one process' : 'in two processes'
  console.log(`${delays.length} blocks of ${transfers} transfers, producer and peer ${where}:`)
  const besides = delays.map((delay, i) => delay - executions[i]!)
  for (const [what, share] of [
    ['median', 0.5],
    ['least tenth', 0.1],
  ] as const) {
    const at = (values: number[]): number =>
      values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!
    const ms = (values: number[]): string => (at(values) / 1000).toFixed(1)
    console.log(
      `  ${what.padEnd(12)} accepted after ${ms(delays)} ms, executed in ${ms(executions)} ms, ` +
        `${ms(besides)} ms besides: ${(1 + at(besides) / at(executions)).toFixed(2)} times (aim: at most 1.3)`,
    )
  }
}

if (process.send) {
  await work(JSON.parse(process.argv[2]!) as Task)
} else {
  const blocks = Number(process.argv[2] ?? 100) + DROPPED
  const transfers = Number(process.argv[3] ?? 200)
  await measure(['both'], blocks, transfers)
  await measure(['producer', 'peer'], blocks, transfers)
  process.exit(0)
}
