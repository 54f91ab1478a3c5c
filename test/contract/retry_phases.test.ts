/**
 * Submissions that wait, and the status of transactions, as they were recorded of the reference: the
 * same actions at the same moments, on a node whose time a test makes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { Accepted } from '../driver/accepted.ts'
import { judge } from '../driver/accepted.ts'
import { compareRecordings, recordingOf, type Line } from '../driver/compare.ts'
import { signDigest } from '../../src/engine/crypto/keys.ts'
import {
  createMetadata,
  metadataSigningDigest,
} from '../../src/engine/chain/base/transaction_metadata.ts'
import { fromHex, toHex } from '../../src/engine/protocol/hex.ts'
import { signatureToString } from '../../src/engine/protocol/key.ts'
import {
  makePackedTransaction,
  unpackTrxBytes,
} from '../../src/engine/protocol/packed_transaction.ts'
import { refBlockOf } from '../../src/engine/protocol/transaction.ts'
import { DEVELOPMENT_SECRET, secretOf } from '../engine/chain/support/test_chain.ts'
import { ManualClock } from '../support/manual_clock.ts'
import { TestNode } from '../support/test_node.ts'
import { until } from '../support/wait.ts'
import { root } from './support.ts'

/** As the recorded node was told. */
const RETENTION_SEC = 20
const OPTIONS = [
  '--transaction-retry-max-expiration-sec=60',
  `--transaction-finality-status-success-duration-sec=${RETENTION_SEC}`,
  `--transaction-finality-status-failure-duration-sec=${RETENTION_SEC}`,
]

/** Where answers differ for a reason. */
const DIFFERENT: readonly Accepted[] = [
  {
    exchange: /get_transaction_status/,
    field: /^body\.last_tracked_block_id: undefined /,
    reason: 'The specification has the field.',
  },
  {
    exchange: /\|retry: duplicate#/,
    field: /^(status: 500 is here 409|body\.(code|message): )/,
    reason: 'A duplicate is 409, as the table of errors says.',
  },
  {
    exchange: /\|negative num_blocks#/,
    field: /^(status: 500 is here 400|body\.(code|message|error\.\w+): )/,
    reason: 'A negative number of blocks is none; the reference looks at the expiration first.',
  },
  {
    exchange: /\|chain\/send_transaction2\|/,
    field: /\.receipt\.(code|abi)_sequence: \d+ is here \d+$/,
    reason: 'The contract of eosio was set more often on one of the chains.',
  },
]

interface Request {
  transaction?: { packed_trx: string; signatures: string[] }
  id?: string
}

const lines = gunzipSync(
  readFileSync(join(root, 'test/fixtures/recordings/retry/exchanges.jsonl.gz')),
)
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

describe('recorded submissions that wait', () => {
  let clock: ManualClock
  let node: TestNode
  let next: number
  /** Ids of ours by recorded ones. */
  let ids: Map<string, string>
  /** Transactions of ours by recorded texts: what was sent twice is sent twice. */
  let sent: Map<string, object>
  const ours: Line[] = []
  const theirs: Line[] = []

  before(async () => {
    clock = new ManualClock()
    node = await TestNode.start({ argv: OPTIONS, clock })
    next = 0
    ids = new Map()
    sent = new Map()
    await pass(6)
  })
  after(() => node.stop())

  /** Lets the clock's next alarm go off, and those have their turn who wait for votes or answers. */
  async function tick(): Promise<void> {
    clock.fire()
    await node.engine.chain.voted()
    await new Promise((resolve) => setImmediate(resolve))
  }

  /** Makes so many blocks. */
  async function pass(count: number): Promise<void> {
    const end = node.head_block_num + count
    await until('blocks', async () => {
      await tick()
      return node.head_block_num >= end
    })
  }

  /** Answers the recorded exchange that is next; it must be this one. */
  function recorded(note: string): Line {
    while (lines[next]!.phase !== undefined) {
      theirs.push(lines[next]!)
      ours.push(lines[next++]!)
    }
    const line = lines[next++]!
    expect(line.note ?? line.path.split('/').at(-1)).equal(note)
    theirs.push(line)
    return line
  }

  /** A transaction with the actions of a recorded one, of now. */
  function again(packed_trx: string, expires_sec: number, secret = DEVELOPMENT_SECRET): object {
    const known = sent.get(packed_trx)
    if (known) return known
    const { chain } = node.engine
    const { trx } = unpackTrxBytes(fromHex(packed_trx))
    const expiration = Math.floor(clock.now() / 1e6) + expires_sec
    const fresh = { ...trx, ...refBlockOf(chain.head.id), expiration }
    const unsigned = createMetadata(makePackedTransaction(fresh, []), 'input')
    const signature = signDigest(secret, metadataSigningDigest(unsigned, chain.chain_id))
    const theirs = createMetadata(makePackedTransaction(trx, []), 'input')
    ids.set(toHex(theirs.id), toHex(unsigned.id))
    const transaction = {
      signatures: [signatureToString(signature)],
      compression: 'none',
      packed_context_free_data: '',
      packed_trx: toHex(unsigned.packed.packed_trx),
    }
    sent.set(packed_trx, transaction)
    return transaction
  }

  /** Sends what was recorded, while a block is in work; its answer is kept when it is there. */
  async function begin(note: string, expires_sec = 20, secret = DEVELOPMENT_SECRET): Promise<Sent> {
    await until('a block is in work', async () => {
      if (node.engine.chain.pending) return true
      await tick()
      return undefined
    })
    const line = recorded(note)
    const request = JSON.parse(line.body!) as Request
    const { packed_trx } = request.transaction!
    const transaction = again(packed_trx, expires_sec, secret)
    const sent: Sent = { id: idOf(packed_trx), answered: false, done: Promise.resolve() }
    sent.done = node.ask(line.path, { body: { ...request, transaction } }).then((answer) => {
      sent.answered = true
      ours.push({ ...line, status: answer.status, response: answer.text })
    })
    return sent
  }

  /** Sends what is answered at once. */
  async function send(...request: Parameters<typeof begin>): Promise<void> {
    await (
      await begin(...request)
    ).done
  }

  /** Sends, and makes blocks until it is answered. */
  async function sendAndWait(note: string): Promise<void> {
    await answered(await begin(note))
  }

  async function answered(sent: Sent): Promise<void> {
    await until('an answer', async () => {
      if (!sent.answered) await tick()
      return sent.answered
    })
    await sent.done
  }

  const stateOf = async (id: string) => {
    const { body } = await node.chain('get_transaction_status', { id })
    return (body as { state: string }).state
  }

  /** Makes blocks until a transaction stands where it was recorded, and keeps that answer. */
  async function status(note: string): Promise<void> {
    const line = recorded(note)
    const { id: theirs } = JSON.parse(line.body!) as { id: string }
    const id = ids.get(theirs) ?? theirs
    const { state } = JSON.parse(line.response) as { state: string }
    await until(`${note}: ${state}`, async () => {
      if ((await stateOf(id)) === state) return true
      await tick()
      return undefined
    })
    const { status, text } = await node.ask(line.path, { body: { id } })
    ours.push({ ...line, status, response: text })
  }

  async function pause(): Promise<void> {
    await node.producer('pause')
    const { loop } = node.engine.services.production
    await until('it stands', async () => {
      if (loop.mode !== 'producing') return true
      await tick()
      return undefined
    })
  }

  /** Every answer is the recorded one, or differs for a reason. */
  function expectAsRecorded(): Accepted[] {
    expect(ours).length(theirs.length)
    const differences = compareRecordings(recordingOf(theirs), recordingOf(ours))
    const { faults, unseen } = judge(differences, DIFFERENT)
    expect(faults).deep.equal([])
    return unseen
  }

  it('until so many blocks, until irreversible, and refused', async () => {
    await sendAndWait('retry until 1 block')
    await status('after 1 block')
    await sendAndWait('retry until 3 blocks')
    await status('after 3 blocks')
    await sendAndWait('retry until irreversible')
    await status('after irreversible')
    await send('retry: fails')
    await send('retry: fails, no trace asked')
    await send('retry: bad signature', 20, secretOf(7))
    await send('retry: expiry beyond the limit', 1000)
    await send('retry: duplicate')
    await send('num_blocks without retry')
    await send('negative num_blocks', 120)
    expectAsRecorded()
  })

  it('from locally applied to unknown', async () => {
    await send('plain', 120)
    await status('after about 0 ms')
    await status('after about 250 ms')
    for (const ms of [600, 1200, 2500, 4000]) await status(`after about ${ms} ms`)
    await send('failing')
    await status('failed transaction')
    await status('never seen')
    await pass(2 * RETENTION_SEC)
    await status('after the retention time')
    await status('old, after the retention time')
    expectAsRecorded()
  })

  it('while production is paused', async () => {
    await pause()
    await send('while nobody produces')
    await status('locally applied')
    const line = recorded('get_unapplied_transactions')
    const waiting = await node.ask(line.path, { body: line.body ?? '' })
    ours.push({ ...line, status: waiting.status, response: waiting.text })
    const retried = await begin('retry while nobody produces, then resume')
    await until('it waits', async () => (await stateOf(retried.id)) === 'LOCALLY_APPLIED')
    await node.producer('resume')
    await answered(retried)
    await status('after resume')

    await pause()
    const expiring = await begin('retry until expiry while nobody produces', 3)
    await until('it waits', async () => (await stateOf(expiring.id)) === 'LOCALLY_APPLIED')
    const late_us = clock.now() + 10e6
    while (clock.now() < late_us) await tick()
    await node.producer('resume')
    await answered(expiring)
    expect(expectAsRecorded()).deep.equal([])
    expect(next).equal(lines.length)
  })

  function idOf(packed_trx: string): string {
    const { trx } = unpackTrxBytes(fromHex(packed_trx))
    return ids.get(toHex(createMetadata(makePackedTransaction(trx, []), 'input').id))!
  }
})

/** A submission of ours. */
interface Sent {
  id: string
  answered: boolean
  done: Promise<void>
}
