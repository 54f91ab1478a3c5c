/** A node that stands still, whose chain has all that the examples of the contract speak of. */
import { expect } from 'chai'
import type { Operation } from '../../../scripts/codegen/operations.ts'
import { createMetadata } from '../../../src/engine/chain/base/transaction_metadata.ts'
import { toHex } from '../../../src/engine/protocol/hex.ts'
import { contractFiles } from '../../support/contracts.ts'
import { changedParts, fingerprintOf, type Fingerprint } from '../../support/fingerprint.ts'
import type { Answer } from '../../support/http.ts'
import { NO_LISTS } from '../../support/no_lists.ts'
import { temporaryFolder } from '../../support/node_process.ts'
import { developmentChain, transfer } from '../examples/development_chain.ts'
import type { ExampleNode } from '../examples/example_node.ts'

/** What changes when blocks are made. */
const OF_BLOCKS = new Set(['state', 'head', 'snapshots'])

/** An answer, and the parts of the node that are not as they were before it was asked for. */
export interface Asked {
  answer: Answer
  changed: string[]
}

/** Options that keep a node from producing, or a transaction from its block. */
const GO_ON = { max_irreversible_block_age: -1, max_transaction_time: 499 }
const TOO_OLD = 'the last irreversible block is too old'
/** Requests name addresses at which something else than a node may answer. */
const OF_PEERS = /^warn peer \d+ /

export class NodeWithState {
  private readonly on: ExampleNode
  private readonly remove: () => void
  private before: Fingerprint

  private constructor(on: ExampleNode, remove: () => void) {
    this.on = on
    this.remove = remove
    this.before = fingerprintOf(on.node)
  }

  /** The chain of the examples, and the probe. */
  static async start(): Promise<NodeWithState> {
    const { path, remove } = temporaryFolder()
    const on = await developmentChain(path, ['--verbose-http-errors'])
    await on.createAccount('probe')
    await on.deploy('probe', contractFiles('probe'))
    await on.produce()
    return new NodeWithState(on, remove)
  }

  /** A body that succeeds, where the examples did so on another head or another chain. */
  async fresh({ name, bodySchema }: Operation): Promise<object[]> {
    const { head_block_num } = this.on.node
    const head = { block_num_or_id: head_block_num }
    // Here all features are active.
    if (name === 'schedule_protocol_feature_activations') {
      return [{ protocol_features_to_activate: [] }]
    }
    // The account of the example exists.
    if (name === 'create_account') return [{ name: 'newcomer' }]
    if (name === 'go_back_to_checkpoint' || name === 'drop_checkpoint') {
      const { checkpoint } = await this.on.node.engine.services.dev.takeCheckpoint()
      this.before = fingerprintOf(this.on.node)
      return [{ checkpoint }]
    }
    if (name === 'load_state') {
      const { name: saved } = await this.on.node.engine.services.dev.saveState('saved')
      this.before = fingerprintOf(this.on.node)
      return [{ name: saved }]
    }
    if (name === 'get_transaction_trace') return [await this.tracedTransaction()]
    if (name === 'push_block') return [await this.on.get<object>('get_raw_block', head)]
    if (!bodySchema.$ref?.endsWith('/PackedTransaction')) return []
    const action = await transfer(this.on, '0.0001 SYS', `block ${head_block_num}`)
    return [await this.on.signed(['alice'], [action])]
  }

  /** The last transaction of the chain. */
  private async tracedTransaction(): Promise<{ id: string }> {
    const { chain } = this.on.node.engine
    for (let block_num = chain.head.block_num; ; block_num--) {
      const trx = chain.blockByNumber(block_num)!.transactions.at(-1)?.trx
      if (trx && 'packed' in trx) return { id: toHex(createMetadata(trx.packed, 'input').id) }
    }
  }

  /** Asks while the node stands still. */
  async ask({ path }: Operation, body: unknown): Promise<Asked> {
    return this.asked(await this.on.node.ask(path, { body: JSON.stringify(body) }))
  }

  /** Asks for what is answered when blocks were made: what these change is not a change. */
  async askWaiting({ path }: Operation, body: unknown): Promise<Asked> {
    let waiting = true
    const answer = this.on.node
      .ask(path, { body: JSON.stringify(body) })
      .finally(() => (waiting = false))
    while (waiting) await this.on.produce()
    const { changed, ...asked } = this.asked(await answer)
    return { ...asked, changed: changed.filter((part) => !OF_BLOCKS.has(part)) }
  }

  private asked(answer: Answer): Asked {
    const after = fingerprintOf(this.on.node)
    const changed = changedParts(this.before, after)
    this.before = after
    return { answer, changed }
  }

  /** Undoes what keeps a node from producing; it must be well, and its head must advance. */
  async goOn(): Promise<void> {
    const { node } = this.on
    const before = node.head_block_num
    const { dev: controls, net } = node.engine.services
    // A node with peers refuses the development controls.
    for (const { peer } of net.connections()) net.disconnect(peer)
    for (const { checkpoint } of controls.get().checkpoints) {
      await controls.dropCheckpoint(checkpoint)
    }
    if (controls.get().production_mode !== 'interval') await controls.setProductionMode('interval')
    await node.producer('update_runtime_options', GO_ON)
    await node.producer('set_whitelist_blacklist', NO_LISTS)
    await node.producer('pause_at_block', { block_num: 0 })
    await node.producer('resume')
    await this.on.produce()
    expect(node.head_block_num).greaterThan(before)
    const faults = node.faults.filter((fault) => !fault.includes(TOO_OLD) && !OF_PEERS.test(fault))
    expect(faults).deep.equal([])
    this.before = fingerprintOf(node)
  }

  async end(): Promise<void> {
    try {
      await this.goOn()
    } finally {
      await this.on.node.stop()
      this.remove()
    }
  }
}
