/** What clients and an operator do to a node all the time, until it is gone. */
import { PackedTransaction } from '@wharfkit/antelope'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../fuzz/random.ts'
import { ask, type Answer } from '../support/http.ts'
import type { NodeProcess } from '../support/node_process.ts'
import { WharfkitChain } from '../support/wharfkit_chain.ts'
import type { Info, Ledger, Request } from './ledger.ts'

const SENDERS = 3
const LOOK_MS = 15
const OPERATOR_MS = 250
/** Requests for snapshots that an operator keeps at a time. */
const REQUESTS = 4

interface Sent {
  transaction_id: string
  processed: { block_num: number; except: unknown }
}

/** Answers are counted, by operation. */
export type Counts = Map<string, number>

export class Load {
  private readonly node: NodeProcess
  private readonly chain: WharfkitChain
  private readonly ledger: Ledger
  private readonly random: Random
  private readonly counts: Counts
  private nonce: number

  constructor(node: NodeProcess, ledger: Ledger, random: Random, counts: Counts) {
    this.node = node
    this.chain = new WharfkitChain(node.url)
    this.ledger = ledger
    this.random = random
    this.counts = counts
    this.nonce = random.u32()
  }

  /** Resolves when the node is gone and nobody waits for an answer; throws what was answered wrong. */
  async run(): Promise<void> {
    const senders = Array.from({ length: SENDERS }, () => this.untilGone(() => this.transfer()))
    await Promise.all([
      ...senders,
      this.untilGone(() => this.look()),
      this.untilGone(() => this.operate()),
    ])
  }

  private async untilGone(step: () => Promise<void>): Promise<void> {
    while (!this.ending) {
      try {
        await step()
      } catch (error) {
        // What a node that is killed or stopped answers is not an answer.
        if (!this.ending) throw error
      }
    }
  }

  private get ending(): boolean {
    return this.node.gone || this.node.child.killed
  }

  private async look(): Promise<void> {
    const { status, body } = await this.node.chain('get_info')
    if (status === 200) this.ledger.heard(body as Info)
    await sleep(LOOK_MS)
  }

  /** Every third one waits until it is in a block. */
  private async transfer(): Promise<void> {
    this.nonce = (this.nonce + 1) >>> 0
    const data = { from: 'alice', to: 'bob', quantity: '0.0001 SYS', memo: `${this.nonce}` }
    const action = await this.chain.action('eosio.token', 'transfer', 'alice', data)
    const transaction = PackedTransaction.fromSigned(await this.chain.sign([action]), 0)
    const waits = this.random.once(3)
    const retry = waits ? { retry_trx: true, retry_trx_num_blocks: 0 } : {}
    const answer = await this.node.chain('send_transaction2', { transaction, ...retry })
    // While production stands, and where a pause ends waits, submissions are refused.
    if (answer.status !== 202) return this.count('transfer refused')
    this.count(waits ? 'transfer in a block' : 'transfer')
    const { transaction_id, processed } = answer.body as Sent
    if (processed.except) throw new Error(`a transfer failed: ${answer.text}`)
    if (waits) this.ledger.transactions.set(transaction_id, processed.block_num)
  }

  private async operate(): Promise<void> {
    await sleep(this.random.below(OPERATOR_MS))
    const create = () => this.createSnapshot()
    const schedule = () => this.schedule()
    const unschedule = () => this.unschedule()
    const pause = () => (this.random.once(2) ? this.pause() : this.pauseAt())
    const acts = [create, create, create, schedule, schedule, schedule, schedule, unschedule, pause]
    await this.random.pick(acts)()
  }

  private async createSnapshot(): Promise<void> {
    const { status, body, text } = await this.producer('create_snapshot')
    if (status !== 201) {
      // A second one of the same block, and one that a stop ends.
      if (!/already exists|was canceled|the node stops/.test(text)) throw new Error(text)
      return this.count('snapshot refused')
    }
    const { snapshot_name, head_block_num } = body as {
      snapshot_name: string
      head_block_num: number
    }
    this.count('snapshot')
    this.ledger.snapshots.set(snapshot_name, head_block_num)
  }

  private async schedule(): Promise<void> {
    const { ledger, random } = this
    if (ledger.requests.size >= REQUESTS) return this.unschedule()
    const start_block_num = ledger.head + random.below(20)
    const params = random.once(3)
      ? { start_block_num: start_block_num + 1_000_000 }
      : { start_block_num, block_spacing: 3 + random.below(20) }
    const about = JSON.stringify(params)
    ledger.uncertain.add(about)
    const { status, body, text } = await this.producer('schedule_snapshot', params)
    ledger.uncertain.delete(about)
    if (status !== 201 && !/Duplicate/.test(text)) throw new Error(text)
    if (status !== 201) return this.count('schedule refused')
    this.count('schedule')
    const request = body as Request
    ledger.requests.set(request.snapshot_request_id, request)
  }

  private async unschedule(): Promise<void> {
    const { ledger } = this
    if (ledger.requests.size === 0) return
    const snapshot_request_id = this.random.pick([...ledger.requests.keys()])
    ledger.uncertain.add(`${snapshot_request_id}`)
    const { status, text } = await this.producer('unschedule_snapshot', { snapshot_request_id })
    ledger.uncertain.delete(`${snapshot_request_id}`)
    if (status !== 201) throw new Error(text)
    ledger.requests.delete(snapshot_request_id)
    this.count('unschedule')
  }

  private async pause(): Promise<void> {
    await this.producer('pause')
    await sleep(this.random.below(300))
    await this.producer('resume')
    this.count('pause')
  }

  private async pauseAt(): Promise<void> {
    const { body } = await this.node.chain('get_info')
    const { head_block_num } = body as Info
    await this.producer('pause_at_block', { block_num: head_block_num + 1 })
    await sleep(this.random.below(800))
    await this.producer('pause_at_block', { block_num: 0 })
    this.count('pause at a height')
  }

  private producer(operation: string, body?: unknown): Promise<Answer> {
    return ask(this.node.url, `/v1/producer/${operation}`, { body })
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1)
  }
}
