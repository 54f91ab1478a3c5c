/**
 * Nodes of this project and of the reference in one network: `make network`, or
 * `node --import tsx test/net/mixed/run.ts [seconds]`. nodeos is the program that NODEOS names, or the one on
 * the PATH; without it the run is skipped, and says so. With `STAND_IN=1` nodes of this project take the place of
 * nodeos: that shows that the run works, and nothing about the reference.
 *
 * Each syncs from the other, from genesis and from a snapshot. Then each has one of two producers and one of two
 * finalizers, for so many seconds; blocks of both must come, and finality needs both. Each is killed once meanwhile.
 * Accounts are created through each node in turn, and must be there on all. Then two producers of each go from legacy
 * consensus to Savanna, and through forks. With a reference before Spring, the chain is on legacy consensus, and
 * stays there.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtProgram } from '../../support/node_process.ts'
import { until } from '../../support/wait.ts'
import { BASE_BLOCKS, TestNetwork } from '../support/network.ts'
import { NewAccounts } from './new_accounts.ts'
import { ProgramNode, type Program } from './program_node.ts'
import { FOUR_PRODUCERS, passTransition } from './transition.ts'

const SECONDS = Number(process.argv[2] ?? 3600)
const LOOK_MS = 5000
const SAY_MS = 60_000
/** The last irreversible block must advance within this. */
const STALL_MS = 60_000

function findNodeos(): string | undefined {
  const { NODEOS } = process.env
  if (NODEOS !== undefined) return NODEOS
  try {
    return execFileSync('which', ['nodeos'], { encoding: 'utf8' }).trim()
  } catch {
    // It is not on the PATH.
    return undefined
  }
}

const own: Program = { name: 'pronghorn', command: process.execPath, arguments: builtProgram() }
const reference: Program = process.env['STAND_IN'] === '1' ? { ...own, name: 'stand-in' } : nodeos()
console.log(`${reference.name}: ${printedBy(reference, '--version')}`)

function nodeos(): Program {
  const command = findNodeos()
  if (command !== undefined) return { name: 'nodeos', command, arguments: [] }
  console.log('skipped: there is no nodeos on the PATH, and NODEOS names none')
  process.exit(0)
}

function printedBy({ command, arguments: first }: Program, option: string): string {
  return execFileSync(command, [...first, option], { encoding: 'utf8' }).trim()
}

/** A reference before Spring has no votes: it follows a chain on legacy consensus, and reads no snapshot of this node. */
const has_votes = printedBy(reference, '--help').includes('vote-threads')
const network = await TestNetwork.create(has_votes ? 'savanna' : 'legacy')
const parent = mkdtempSync(join(tmpdir(), 'pronghorn-mixed-'))
const nodes: ProgramNode[] = []
let failed = false

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`)

async function create(program: Program, name: string): Promise<ProgramNode> {
  const node = await ProgramNode.create(program, name, parent)
  nodes.push(node)
  return node
}

/** Waits until a node has the block that another one has. */
async function follows(node: ProgramNode, leader: ProgramNode, block_num: number): Promise<void> {
  await until(`block ${block_num} at ${node.name}`, async () => {
    return (await node.info()).head_block_num >= block_num
  })
  await until(`the same block ${block_num} at ${node.name} and ${leader.name}`, async () => {
    return (await node.block(block_num)).id === (await leader.block(block_num)).id
  })
}

/** Production goes on however long a vote waits for its disk. */
const NO_PAUSE = has_votes ? ['--production-pause-vote-timeout-ms', '0'] : []

/**
 * After a kill the reference refuses its state, and makes it anew from its block log, whose last block may be
 * incomplete.
 */
const AFTER_KILL = reference.name === 'nodeos' ? '--hard-replay-blockchain' : '--replay-blockchain'

/** Both ways, from genesis and from a snapshot. */
async function synchronize(): Promise<void> {
  const other = reference.name
  const source = await create(own, 'source')
  await source.start([...network.withChain, ...network.producing(0, 1), ...NO_PAUSE])
  const pairs: [string, Program, ProgramNode, string[]][] = [
    [`${other} from genesis, from this node`, reference, source, network.fromGenesis],
  ]
  if (has_votes) {
    const argv = ['--snapshot', network.snapshot]
    pairs.push([`${other} from a snapshot, from this node`, reference, source, argv])
  }
  const followers: ProgramNode[] = []
  for (const [what, program, leader, argv] of pairs) {
    const node = await create(program, 'follower')
    await node.start(argv, [leader])
    await follows(node, leader, BASE_BLOCKS + 4)
    say(`${what}: done`)
    followers.push(node)
  }
  const [leader] = followers
  for (const [what, argv] of [
    [`this node from genesis, from ${other}`, network.fromGenesis],
    [`this node from a snapshot, from ${other}`, ['--snapshot', network.snapshot]],
    [
      `this node with read-mode irreversible, from ${other}`,
      [...network.fromGenesis, '--read-mode', 'irreversible'],
    ],
  ] as const) {
    const node = await create(own, 'follower')
    await node.start(argv, [leader!])
    await follows(node, leader!, BASE_BLOCKS + 6)
    say(`${what}: done`)
    await node.stop()
  }
  for (const node of [...followers, source]) await node.stop()
}

/** One producer and one finalizer each. */
async function produce(): Promise<void> {
  const a = await create(own, 'proda')
  const b = await create(reference, 'prodb')
  const watcher = await create(own, 'watcher')
  await a.start([...network.withChain, ...network.producing(0), ...NO_PAUSE])
  await b.start([...network.fromGenesis, ...network.producing(1), ...NO_PAUSE], [a])
  await watcher.start(network.fromGenesis, [a, b])
  // A transaction is made from the head of the node that it is given to, which must not be an old one.
  for (const node of [b, watcher]) await follows(node, a, (await a.info()).head_block_num)
  const producers = new Map<string, number>()
  const accounts = new NewAccounts()
  const began = Date.now()
  let looked = (await watcher.info()).head_block_num
  let irreversible = 0
  let advanced = Date.now()
  let said = Date.now()
  const kills: [number, ProgramNode, string[], ProgramNode[]][] = [
    [SECONDS / 3, a, [...network.producing(0), ...NO_PAUSE], [b]],
    [(SECONDS * 2) / 3, b, [...network.producing(1), ...NO_PAUSE, AFTER_KILL], [a]],
  ]
  while (Date.now() - began < SECONDS * 1000) {
    await sleep(LOOK_MS)
    const due = kills.findIndex(([at]) => Date.now() - began > at * 1000)
    if (due >= 0) {
      const [, node, argv, peers] = kills.splice(due, 1)[0]!
      // What waits in the killed node alone would be lost, and a node that is synchronizing takes no transactions.
      await accounts.arrival([a, b, watcher])
      say(`${node.name} is killed, and starts again`)
      await node.stop('SIGKILL')
      await node.start(argv, peers)
      await follows(node, watcher, (await watcher.info()).head_block_num)
      advanced = Date.now()
    }
    await accounts.check([a, b, watcher])
    await accounts.submit([a, b, watcher])
    const info = await watcher.info()
    for (; looked < info.head_block_num; looked++) {
      const { producer } = await watcher.block(looked)
      producers.set(producer, (producers.get(producer) ?? 0) + 1)
    }
    if (info.last_irreversible_block_num > irreversible) {
      irreversible = info.last_irreversible_block_num
      advanced = Date.now()
    }
    if (Date.now() - advanced > STALL_MS) throw new Error(`no finality after block ${irreversible}`)
    for (const node of [a, b]) {
      // One that has just started may be behind.
      if ((await node.info()).last_irreversible_block_num < irreversible) continue
      const { id } = await node.block(irreversible)
      if (id !== info.last_irreversible_block_id) {
        throw new Error(`${node.name} has another irreversible block ${irreversible}: ${id}`)
      }
    }
    if (Date.now() - said < SAY_MS) continue
    said = Date.now()
    say(`block ${info.head_block_num}, irreversible ${irreversible}, ${countsOf(producers)}`)
  }
  await accounts.arrival([a, b, watcher])
  if (producers.size < 2) throw new Error(`blocks of one producer alone: ${countsOf(producers)}`)
  const { head_block_num } = await watcher.info()
  for (const node of [a, b]) await follows(node, watcher, head_block_num)
  say(
    `${SECONDS} seconds with both: ${countsOf(producers)}, irreversible ${irreversible}, ${accounts.arrived} accounts: done`,
  )
}

/** Two producers of each, on another chain. */
async function pass(): Promise<void> {
  const four = await TestNetwork.create('transition', FOUR_PRODUCERS)
  try {
    const sides: ProgramNode[][] = []
    for (const program of [own, reference]) {
      sides.push([await create(program, 'first'), await create(program, 'second')])
    }
    await passTransition(four, sides[0]!, sides[1]!, NO_PAUSE, say)
  } finally {
    await four.remove()
  }
}

function countsOf(producers: ReadonlyMap<string, number>): string {
  return [...producers].map(([name, count]) => `${count} blocks of ${name}`).join(', ')
}

try {
  await synchronize()
  await produce()
  for (const node of nodes) await node.stop()
  if (has_votes) await pass()
} catch (error) {
  failed = true
  console.error(error, `\nThe folders of the nodes, with their logs: ${parent}`)
} finally {
  for (const node of nodes) await node.stop()
  await network.remove()
  if (!failed) rmSync(parent, { recursive: true })
}
process.exit(failed ? 1 : 0)
