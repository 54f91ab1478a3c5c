/**
 * The ids and keys of the transactions of one block, found by several threads at once. The threads share memory with a
 * counter: each takes the transaction that comes next, until none is left. So all have work as long as there is any,
 * and no result travels in a message.
 */
import { ChainError } from '../errors.ts'
import type { SignedBlock } from '../protocol/block.ts'
import { unpackSignedBlock } from '../protocol/block.ts'
import type { PackedTransaction } from '../protocol/packed_transaction.ts'
import { openPackedTransaction } from '../protocol/packed_transaction.ts'
import { Reader } from '../protocol/reader.ts'
import { signingDigest, transactionId } from './digests.ts'
import { signersOf } from './recover_keys.ts'

/** What is the same in all threads that work on a block. */
export interface SharedBlock {
  chain_id: Uint8Array
  /** The counter, a state for each transaction, their ids, the keys of all signatures, the packed block. */
  memory: SharedArrayBuffer
  transactions: number
  signatures: number
}

/** The id of a transaction, and its keys in the order of its signatures. */
export interface IdAndKeys {
  id: Uint8Array
  keys: Uint8Array[]
}

const ID = 32
/** Packed keys of the types K1 and R1. Others have no place, and count as not found. */
const KEY = 34

/** States of a transaction. */
const UNKNOWN = 0
const FOUND = 1
const NOT_FOUND = 2

/** A thread that took a transaction has it after 0.1 ms, unless it has to wait for a processor or has ended. */
const MAX_WAIT_MS = 2

/** The transactions of a block, as one thread sees them. */
export class BlockKeys {
  readonly shared: SharedBlock
  /** The counter, then the states. */
  private readonly states: Int32Array
  private readonly ids: Uint8Array
  private readonly keys: Uint8Array

  private constructor(shared: SharedBlock) {
    this.shared = shared
    const { memory } = shared
    const places = placesOf(shared)
    this.states = new Int32Array(memory, 0, 1 + shared.transactions)
    this.ids = new Uint8Array(memory, places.ids, shared.transactions * ID)
    this.keys = new Uint8Array(memory, places.keys, shared.signatures * KEY)
  }

  /** Makes the shared memory of a block. @param packed the same block, packed */
  static create(block: SignedBlock, packed: Uint8Array, chain_id: Uint8Array): BlockKeys {
    const transactions = packedTransactions(block)
    const counts = {
      transactions: transactions.length,
      signatures: transactions.reduce((sum, { signatures }) => sum + signatures.length, 0),
    }
    const at = placesOf(counts).block
    const memory = new SharedArrayBuffer(at + packed.length)
    new Uint8Array(memory, at).set(packed)
    return new BlockKeys({ chain_id, memory, ...counts })
  }

  /** Works on a block on another thread, unless nothing is left to do. */
  static workOn(shared: SharedBlock): void {
    const states = new Int32Array(shared.memory, 0, 1)
    if (Atomics.load(states, 0) >= shared.transactions) return
    const packed = new Uint8Array(shared.memory, placesOf(shared).block).slice()
    new BlockKeys(shared).work(packedTransactions(unpackSignedBlock(new Reader(packed))))
  }

  /** Whether some thread has taken the last transaction. */
  get isTaken(): boolean {
    return Atomics.load(this.states, 0) >= this.shared.transactions
  }

  /**
   * Works on transactions that no thread has taken.
   * @param transactions of {@link packedTransactions}; @param most so many of them
   * @returns whether there was any
   */
  work(transactions: readonly PackedTransaction[], most = Infinity): boolean {
    const firsts: number[] = []
    let first = 0
    for (const { signatures } of transactions) {
      firsts.push(first)
      first += signatures.length
    }
    let done = 0
    for (; done < most; done++) {
      const index = Atomics.add(this.states, 0, 1)
      if (index >= this.shared.transactions) break
      const is_found = this.find(transactions[index]!, index, firsts[index]!)
      Atomics.store(this.states, 1 + index, is_found ? FOUND : NOT_FOUND)
      Atomics.notify(this.states, 1 + index)
    }
    return done > 0
  }

  /**
   * The results after {@link work} for the same transactions. Waits for other threads that are at one.
   * @returns for each undefined if it was not found: a signature is invalid, or has a rare type, or the thread has ended
   */
  results(transactions: readonly PackedTransaction[]): (IdAndKeys | undefined)[] {
    let first = 0
    return transactions.map(({ signatures }, index) => {
      const end = first + signatures.length
      const found = this.result(index, first, end)
      first = end
      return found
    })
  }

  /** @param first number of signatures before it; @param end with its own */
  private result(index: number, first: number, end: number): IdAndKeys | undefined {
    Atomics.wait(this.states, 1 + index, UNKNOWN, MAX_WAIT_MS)
    if (Atomics.load(this.states, 1 + index) !== FOUND) return undefined
    const keys: Uint8Array[] = []
    for (let i = first; i < end; i++) keys.push(this.keys.slice(i * KEY, (i + 1) * KEY))
    return { id: this.ids.slice(index * ID, (index + 1) * ID), keys }
  }

  /** Writes the id and the keys of a transaction. Returns whether it could. */
  private find(packed: PackedTransaction, index: number, first: number): boolean {
    try {
      const { trx_bytes, context_free_data } = openPackedTransaction(packed)
      const digest = signingDigest(this.shared.chain_id, trx_bytes, context_free_data)
      const keys = signersOf(digest, packed.signatures)
      if (keys.some((key) => key.length !== KEY)) return false
      this.ids.set(transactionId(trx_bytes), index * ID)
      for (const [i, key] of keys.entries()) this.keys.set(key, (first + i) * KEY)
      return true
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      return false
    }
  }
}

/** The transactions of a block that are not deferred. */
export function packedTransactions({ transactions }: SignedBlock): PackedTransaction[] {
  return transactions.flatMap(({ trx }) => ('packed' in trx ? [trx.packed] : []))
}

/** Where the parts begin in the shared memory. */
function placesOf({ transactions, signatures }: Pick<SharedBlock, 'transactions' | 'signatures'>) {
  const ids = 4 * (1 + transactions)
  const keys = ids + transactions * ID
  return { ids, keys, block: keys + signatures * KEY }
}
