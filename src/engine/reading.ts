/**
 * The facade of threads that answer reads: the state of the chain of another thread, what reads it, and what
 * answers are made of.
 */
import type { MessagePort } from 'node:worker_threads'
import { ConversionBudget } from './abi/conversion_budget.ts'
import type { SharedFacts } from './chain/chain.ts'
import { STATE_READS } from './queries/state_reads.ts'
import type { StateRead } from './queries/state_reads.ts'
import type { StateChain } from './queries/query.ts'
import { createDatabase } from './state/database.ts'
import { SharedMemory, Turns } from './state/shared_memory.ts'

export { ANSWER_TEXTS } from './queries/answer_text.ts'
export type { StateRead } from './queries/state_reads.ts'
export {
  BusyError,
  ChainError,
  ERRORS,
  RequestError,
  limitedMessage,
  type ErrorDetail,
} from './errors.ts'

/** What a thread needs to read the state of a chain; the port must be transferred to it. */
export interface StateAccess {
  words: SharedArrayBuffer
  port: MessagePort
  /** The limit for the conversions of one request; see `ConversionBudget`. */
  abi_serializer_max_time_us: number
}

/**
 * Reads the state of another thread's chain. Reads are made in turns; the state does not change during a turn,
 * and the chain's thread waits for the end of one.
 */
export class StateReader {
  private readonly memory: SharedMemory
  private readonly turns: Turns<SharedFacts>
  private readonly chain: StateChain
  private readonly max_time_us: number

  constructor({ words, port, abi_serializer_max_time_us }: StateAccess) {
    const memory = new SharedMemory(words)
    const db = createDatabase(memory)
    const turns = new Turns<SharedFacts>(memory, port, () => db.trimCaches(0))
    this.memory = memory
    this.turns = turns
    this.max_time_us = abi_serializer_max_time_us
    this.chain = {
      db,
      get head() {
        return turns.facts.head
      },
      get rules() {
        return turns.facts.rules
      },
    }
  }

  /** A number that changes with the chain. */
  get version(): number {
    return this.memory.version
  }

  /**
   * Runs a read in one turn; may wait for a change to end. What it returns must not refer to the state.
   * @throws Error if the turn took so long that the chain did not wait for its end
   */
  read<T>(run: (answer: (operation: StateRead, body: unknown) => unknown) => T): T {
    this.turns.begin()
    try {
      return run(this.answer)
    } finally {
      this.turns.end()
    }
  }

  /** The answer of an operation.
   *  @throws ChainError */
  private readonly answer = (operation: StateRead, body: unknown): unknown => {
    const budget = new ConversionBudget(this.max_time_us)
    return STATE_READS[operation](this.chain, body as never, { budget })
  }
}
