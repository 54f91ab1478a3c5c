import { expect } from 'chai'
import { ChainError, recordOf } from '../../../../src/engine/errors.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import type { TransactionMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import {
  TransactionQueue,
  type QueuedTransaction,
  type TransactionOutcome,
} from '../../../../src/engine/services/production/transaction_queue.ts'

function meta(id: number, size = 100, expiration = 1000): TransactionMetadata {
  return {
    id: new Uint8Array(32).fill(id),
    kind: 'input',
    trx: { expiration },
    unprunable_size: size,
    prunable_size: 0,
  } as unknown as TransactionMetadata
}

function incoming(id: number, outcome?: TransactionOutcome, size = 100): QueuedTransaction {
  return { meta: meta(id, size), kind: 'incoming_api', return_failure_trace: false, outcome }
}

const ids = (queue: TransactionQueue) => [...queue.entries()].map((entry) => entry.meta.id[0])

describe('transaction queue', () => {
  it('executes forked and aborted transactions before incoming ones, each in order of arrival', () => {
    const queue = new TransactionQueue(2 ** 20)
    queue.addIncoming(incoming(1))
    queue.addBack('aborted', [meta(2), meta(3)])
    queue.addBack('forked', [meta(4)])
    queue.addIncoming(incoming(5))
    expect(ids(queue)).deep.equal([4, 2, 3, 1, 5])
    expect(queue.size).equal(5)
    expect(queue.incoming_size).equal(2)
  })

  it('has each transaction once and answers the second submitter that it is a duplicate', () => {
    const queue = new TransactionQueue(2 ** 20)
    let told: unknown
    queue.addIncoming(incoming(1))
    queue.addIncoming(incoming(1, (outcome) => (told = outcome)))
    expect(told).instanceOf(ChainError).with.property('errorName', 'tx_duplicate')
    expect(recordOf(told as ChainError).logs).deep.equal([
      { format: 'duplicate transaction ${id}', data: { id: '01'.repeat(32) } },
    ])
    queue.addBack('aborted', [meta(1)])
    expect(queue.size).equal(1)
  })

  it('has dry runs of one transaction as often as they are asked for', () => {
    const queue = new TransactionQueue(2 ** 20)
    const dryRun = () => {
      const entry = incoming(1)
      return { ...entry, meta: { ...entry.meta, kind: 'dry_run' as const } }
    }
    queue.addIncoming(incoming(1))
    const [first, second] = [dryRun(), dryRun()]
    queue.addIncoming(first)
    queue.addIncoming(second)
    expect(queue.size).equal(3)
    expect(queue.find(toHex(first.meta.id))?.meta.kind).equal('input')
    queue.remove(first)
    queue.remove(second)
    expect(queue.size).equal(1)
  })

  it('queueing the same transaction again is not a duplicate', () => {
    const queue = new TransactionQueue(2 ** 20)
    const entry = incoming(1, () => expect.fail('nothing happened to it'))
    queue.addIncoming(entry)
    queue.addIncoming(entry)
    expect(queue.size).equal(1)
  })

  it('refuses incoming transactions beyond its size, and drops what comes back', () => {
    const queue = new TransactionQueue(1000)
    queue.addIncoming(incoming(1))
    queue.addIncoming(incoming(2))
    expect(() => queue.addIncoming(incoming(3)))
      .throw(ChainError, /would exceed configured incoming-transaction-queue-size-mb/)
      .with.property('errorName', 'tx_resource_exhaustion')
    expect(queue.addBack('aborted', [meta(4)])).equal(1)
    expect(queue.size).equal(2)
    queue.remove(queue.find(toHex(meta(1).id))!)
    queue.addIncoming(incoming(3))
    expect(ids(queue)).deep.equal([2, 3])
  })

  it('removes transactions that expire at the block time and reports the reason', () => {
    const queue = new TransactionQueue(2 ** 20)
    const told: string[] = []
    const entry = incoming(1, (outcome) => told.push((outcome as ChainError).errorName))
    queue.addIncoming(entry)
    queue.removeExpired(999_999_999)
    expect(queue.size).equal(1)
    queue.removeExpired(1_000_000_000)
    expect(queue.size).equal(0)
    expect(told).deep.equal(['expired_tx_exception'])
  })

  it('keeps read-only transactions, which have no time', () => {
    const queue = new TransactionQueue(2 ** 20)
    const entry = incoming(1, () => expect.fail('it is not refused'))
    const read_only: TransactionMetadata = { ...meta(1, 100, 0), kind: 'read_only' }
    queue.addIncoming({ ...entry, meta: read_only })
    queue.removeExpired(1_000_000_000)
    expect(ids(queue)).deep.equal([1])
  })

  it('may be emptied while it is walked', () => {
    const queue = new TransactionQueue(2 ** 20)
    for (const id of [1, 2, 3]) queue.addIncoming(incoming(id))
    for (const entry of queue.entries()) queue.remove(entry)
    expect(queue.size).equal(0)
    // Its bytes are free again.
    for (const id of [1, 2, 3]) queue.addIncoming(incoming(id))
    expect(queue.size).equal(3)
  })
})
