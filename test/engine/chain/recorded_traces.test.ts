/**
 * The recorded chain lived through again: every recorded transaction, the failed ones too, is pushed
 * where it was pushed then, and its trace must be the recorded one to the letter. What is left out is
 * what depends on the machine (times) or on the reference's source (files and lines).
 */
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { AbiCache } from '../../../src/engine/abi/abi_cache.ts'
import type { CompiledAbi } from '../../../src/engine/abi/compiled_abi.ts'
import { Chain } from '../../../src/engine/chain/chain.ts'
import type { PushLimits } from '../../../src/engine/chain/chain_options.ts'
import { defaultRules } from '../../../src/engine/chain/subjective_rules.ts'
import type { TransactionTrace } from '../../../src/engine/chain/trace.ts'
import { transactionTraceJson } from '../../../src/engine/chain/trace_json.ts'
import {
  createMetadata,
  recoverMetadataKeys,
} from '../../../src/engine/chain/transaction_metadata.ts'
import { ChainError, formatLog } from '../../../src/engine/errors.ts'
import type { LogData } from '../../../src/engine/errors.ts'
import type { SignedBlock } from '../../../src/engine/protocol/block.ts'
import { fromHex, toHex } from '../../../src/engine/protocol/hex.ts'
import { signatureFromString } from '../../../src/engine/protocol/key.ts'
import type { PackedTransaction } from '../../../src/engine/protocol/packed_transaction.ts'
import { extractHeaderExtensions } from '../../../src/engine/protocol/block_extension.ts'
import { slotToUs } from '../../../src/engine/protocol/time.ts'
import { readRecordedChain, RECORDED_LOG } from './support/recorded_chain.ts'
import { ForgetfulStore } from './support/test_chain.ts'

/** The last block before the transition to Savanna. */
const LAST_LEGACY = 39

interface Submission {
  signatures: string[]
  compression: string
  packed_context_free_data: string
  packed_trx: string
}

interface RecordedTrace {
  id: string
  block_num: number
  receipt: { cpu_usage_us: number } | null
  except: unknown
}

interface Exchange {
  note?: string
  path: string
  submission: Submission
  trace: RecordedTrace
}

const FOLDER = new URL('../../fixtures/recordings/one/', import.meta.url)

/** Submissions whose answers have a trace, in order. push_transaction's answers are trees. */
function recordedExchanges(): Exchange[] {
  const text = gunzipSync(readFileSync(new URL('live.jsonl.gz', FOLDER))).toString('utf8')
  const found: Exchange[] = []
  for (const line of text.trim().split('\n')) {
    const { note, path, body, response } = JSON.parse(line) as Record<string, string | undefined>
    if (!/^\/v1\/chain\/(send|compute)_transaction2?$/.test(path ?? '')) continue
    if (!response?.includes('"processed"') || body!.includes('… ')) continue
    const request = JSON.parse(body!) as Submission & { transaction?: Submission }
    const { processed } = JSON.parse(response) as { processed: RecordedTrace }
    const submission = request.transaction ?? request
    if (typeof submission.packed_trx !== 'string') continue
    found.push({ path: path!, submission, trace: processed, ...(note ? { note } : {}) })
  }
  return found
}

const packedOf = (submission: Submission): PackedTransaction => ({
  signatures: submission.signatures.map(signatureFromString),
  compression: submission.compression === 'zlib' ? 1 : 0,
  packed_context_free_data: fromHex(submission.packed_context_free_data),
  packed_trx: fromHex(submission.packed_trx),
})

const limitsOf = (cpu_usage_us: number | undefined): PushLimits => ({
  block_deadline_us: Infinity,
  max_transaction_time_us: Infinity,
  billed_cpu_time_us: cpu_usage_us ?? 0,
  explicit_billed_cpu_time: cpu_usage_us !== undefined,
  subjective_cpu_bill_us: 0,
})

/**
 * A trace without times and places in sources. Of exceptions the messages are compared: how they
 * were put together, and which fields were being unpacked, belongs to the reference's templates.
 */
function comparable(trace: unknown): unknown {
  return JSON.parse(
    JSON.stringify(trace, (key, value: unknown) => {
      if (key === 'elapsed' || key === 'producer_block_id') return undefined
      if (key === 'stack') return (value as Log[]).filter(isTold).map(messageOf)
      return value
    }),
  )
}

interface Log {
  format: string
  data: LogData
}

const isTold = ({ format }: Log) =>
  !/^(error unpacking .*|Error unpacking field .*|fc::array.*|)$/.test(format)

function messageOf({ format, data }: Log): string {
  // The parsers of WASM name other places of what is no WASM at all.
  if (WASM_PARSER.test(format)) return 'not WASM'
  const times = 'billing_timer' in data ? { billing_timer: 0 } : {}
  // Broken UTF-8 has no one form in JSON.
  return formatLog(format, { ...data, ...times }).replaceAll('\ufffd', '')
}

const WASM_PARSER = /^(magic number|unknown section|pointer out of bounds)/

/** Where two JSON values differ first, and how. */
function firstDifference(ours: unknown, theirs: unknown, path = ''): string | undefined {
  if (typeof ours !== 'object' || typeof theirs !== 'object' || !ours || !theirs)
    return ours === theirs
      ? undefined
      : `${path} is ${JSON.stringify(ours)}, recorded ${JSON.stringify(theirs)}`
  const keys = Object.keys(theirs)
  if (Object.keys(ours).join() !== keys.join())
    return `${path} has ${Object.keys(ours).join()}, recorded ${keys.join()}`
  for (const key of keys) {
    const values = [ours, theirs].map((value) => (value as Record<string, unknown>)[key])
    const difference = firstDifference(values[0], values[1], `${path}.${key}`)
    if (difference) return difference
  }
  return undefined
}

class Replay {
  readonly chain: Chain
  private readonly clock: { now_us: number }
  private readonly abis = new AbiCache()
  private next_receipt = 0

  constructor(chain: Chain, clock: { now_us: number }) {
    this.chain = chain
    this.clock = clock
  }

  static async open(): Promise<Replay> {
    const { genesis } = readRecordedChain(RECORDED_LOG)
    const clock = { now_us: 0 }
    const rules = { ...defaultRules(), contracts_console: true }
    const deps = { store: new ForgetfulStore(), now: () => clock.now_us++ }
    return new Replay(await Chain.open({ genesis, rules }, deps), clock)
  }

  begin(block: SignedBlock): void {
    this.next_receipt = 0
    this.clock.now_us = slotToUs(block.timestamp) - 500_000
    this.chain.startBlock({
      slot: block.timestamp,
      confirmed: block.confirmed,
      features: extractHeaderExtensions(block.header_extensions).protocol_feature_activation ?? [],
      status: 'incomplete',
    })
  }

  /** Executes the receipts of the block up to (not with) the transaction; false if it is not there. */
  catchUp(block: SignedBlock, id: string | undefined): boolean {
    const end =
      id === undefined ? -1 : block.transactions.findIndex(({ trx }) => receiptId(trx) === id)
    for (; this.next_receipt < end; this.next_receipt++) {
      const { trx, cpu_usage_us } = block.transactions[this.next_receipt]!
      if ('id' in trx) this.chain.pushScheduled(trx.id, limitsOf(cpu_usage_us))
      else this.push(trx.packed, limitsOf(cpu_usage_us))
    }
    if (end >= 0) this.next_receipt = end + 1
    return end >= 0
  }

  push(packed: PackedTransaction, limits: PushLimits, kind: 'input' | 'dry_run' = 'input') {
    const meta = recoverMetadataKeys(createMetadata(packed, kind), this.chain.chain_id)
    return this.chain.pushTransaction(meta, limits)
  }

  json(trace: TransactionTrace): unknown {
    return transactionTraceJson(trace, {
      abiOf: (account) => this.abiOf(account),
      now_us: this.clock.now_us,
    })
  }

  private abiOf(account: bigint): CompiledAbi | undefined {
    const row = this.chain.db.account.find('by_name', account)
    try {
      return row && this.abis.get(row.abi)
    } catch (error) {
      if (error instanceof ChainError) return undefined
      throw error
    }
  }

  end(block: SignedBlock): void {
    this.chain.abortBlock()
    this.chain.pushBlock(block)
  }
}

const receiptId = (trx: { id: Uint8Array } | { packed: PackedTransaction }): string =>
  toHex('id' in trx ? trx.id : createMetadata(trx.packed, 'input').id)

describe('recorded transactions', () => {
  it('leave the recorded traces when they are pushed again', async () => {
    const { blocks } = readRecordedChain(RECORDED_LOG)
    const exchanges = recordedExchanges()
    const replay = await Replay.open()
    const differences: string[] = []
    let compared = 0
    for (const { block } of blocks.slice(1, LAST_LEGACY)) {
      const block_num = replay.chain.head.block_num + 1
      replay.begin(block)
      for (const { path, submission, trace } of exchanges) {
        if (trace.block_num !== block_num) continue
        const dry_run = path.includes('compute')
        const there = !dry_run && replay.catchUp(block, trace.except ? undefined : trace.id)
        if (!there && !dry_run && !trace.except) continue
        const explicit = there || dry_run ? trace.receipt?.cpu_usage_us : undefined
        const limits = limitsOf(explicit)
        const again = replay.push(packedOf(submission), limits, dry_run ? 'dry_run' : 'input')
        const ours = comparable(replay.json(again))
        const difference = firstDifference(ours, comparable(trace))
        if (difference) differences.push(`block ${block_num} ${trace.id}: ${difference}`)
        compared++
      }
      replay.end(block)
    }
    expect(differences).to.deep.equal([])
    expect(compared).to.be.greaterThan(500)
  })
})
