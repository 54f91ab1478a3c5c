/** Rounds of a crash test: work, a kill, a start, a look at what is there. */
import { expect } from 'chai'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../fuzz/random.ts'
import { temporaryFolder, type NodeProcess } from '../support/node_process.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'
import { until } from '../support/wait.ts'
import { check, checkState } from './check.ts'
import { Ledger } from './ledger.ts'
import { Load, type Counts } from './load.ts'
import { Victim, killAfter } from './victim.ts'
import { Witness, blockNumOf, type StateHash } from './witness.ts'

/** Once in so many kills the block files alone are replayed, and a new node starts from a snapshot. */
const REPLAY_EVERY = 10
/** Longest times from where a kill is aimed at, milliseconds. */
const UNDER_LOAD_MS = 1500
const IN_START_MS = 1000
const IN_STOP_MS = 150

const KINDS = ['load', 'load', 'load', 'start', 'start', 'stop', 'replay'] as const

/** A node that is killed again and again, and what it is compared with. */
export class Rounds {
  readonly counts: Counts = new Map()
  private readonly random: Random
  private readonly root = temporaryFolder()
  private readonly victim = new Victim(join(this.root.path, 'node'))
  private readonly ledger = new Ledger()
  private witness!: Witness
  private node!: NodeProcess
  rounds = 0
  kills = 0
  replays = 0
  snapshot_starts = 0

  constructor(seed: number) {
    this.random = new Random(seed)
  }

  async begin(): Promise<void> {
    this.witness = await Witness.start()
    this.node = await this.victim.start()
    const chain = new WharfkitChain(this.node.url)
    await chain.createToken('1000000.0000', '1000000.0000')
    // An answer is of memory; what is in a block lasts.
    const head = await this.node.head()
    await until('a block', async () => (await this.node.head()) > head)
  }

  /** Kills the node, starts it again and checks it. */
  async once(): Promise<void> {
    const kind = this.random.pick(KINDS)
    this.rounds += 1
    const load = new Load(this.node, this.ledger, this.random, this.counts).run()
    await Promise.all([load, kind === 'stop' ? this.killInStop() : this.killUnderLoad()])
    if (kind === 'start') await this.killIn('a start')
    if (kind === 'replay') await this.killIn('a replay', ['--replay-blockchain'])
    const often = this.rounds % REPLAY_EVERY === 0
    const replayed = often && (await this.victim.replayed(join(this.root.path, 'replayed')))
    const { leftovers } = this.victim
    this.node = await this.victim.start()
    const left = leftovers.filter((path) => existsSync(path))
    expect(left, 'files of snapshots that were not announced').deep.equal([])
    if (replayed) await this.compareReplay(replayed)
    await check(this.node, this.ledger, this.witness)
    if (often) await this.startFromSnapshot()
  }

  private async compareReplay(replayed: StateHash): Promise<void> {
    await this.witness.follow(this.node, blockNumOf(replayed))
    expect(replayed, 'the state that the block files give').deep.equal(await this.witness.hash())
    this.replays += 1
  }

  private async killUnderLoad(): Promise<void> {
    this.count('under load', await killAfter(this.node, this.random.below(UNDER_LOAD_MS)))
  }

  private async killIn(what: string, argv: readonly string[] = []): Promise<void> {
    const starting = this.victim.spawn(argv)
    this.count(`in ${what}`, await killAfter(starting, this.random.below(IN_START_MS)))
  }

  private async killInStop(): Promise<void> {
    await sleep(this.random.below(UNDER_LOAD_MS))
    this.node.child.kill('SIGTERM')
    this.count('in a stop', await killAfter(this.node, this.random.below(IN_STOP_MS)))
  }

  private count(when: string, killed: boolean): void {
    if (killed) this.kills += 1
    const what = killed ? `kill ${when}` : `ended before a kill ${when}`
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }

  /** A new node takes the last snapshot that was announced; all of them are removed. */
  private async startFromSnapshot(): Promise<void> {
    const { snapshots } = this.ledger
    const last = [...snapshots.keys()].at(-1)
    if (last === undefined) return
    const folder = join(this.root.path, 'from-snapshot')
    const node = await new Victim(folder).start(['--snapshot', last, '--producer-name', 'nobody'])
    const head = await node.head()
    if (head !== snapshots.get(last)) throw new Error(`${last} is not of block ${head}`)
    await node.kill()
    rmSync(folder, { recursive: true })
    for (const path of snapshots.keys()) rmSync(path)
    snapshots.clear()
    this.snapshot_starts += 1
  }

  async end(): Promise<void> {
    await checkState(this.node, this.witness)
    const { code } = await this.node.stop()
    if (code !== 0) throw new Error(`the node ended with ${code}: ${this.node.stderr}`)
    await this.witness.stop()
    this.root.remove()
  }

  /** Leaves the folder as it is. */
  async abandon(): Promise<void> {
    await this.node.kill()
  }

  /** For whoever looks for the reason of a failure. */
  get folder(): string {
    return this.root.path
  }

  get stderr(): string {
    return this.node.stderr
  }

  get blocks(): number {
    return this.witness.head
  }

  get transactions(): number {
    return this.witness.transactions.size
  }
}
