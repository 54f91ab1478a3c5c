/**
 * The facade of threads that answer reads: the state of the chain of another thread, what reads it, and what
 * answers are made of.
 */
import type { MessagePort } from 'node:worker_threads'
import { ConversionBudget } from './abi/conversion_budget.ts'
import { FollowedBlocks } from './chain/sharing/followed_blocks.ts'
import type { News } from './chain/sharing/readers_news.ts'
import type { SharedFacts } from './chain/sharing/shared_facts.ts'
import type { ServerVersion } from './queries/chain_info.ts'
import { STATE_READS } from './queries/state_reads.ts'
import type { StateRead } from './queries/state_reads.ts'
import type { StateChain } from './queries/query.ts'
import { isObject } from './abi/lenient_json.ts'
import { packSubmission, withKeys } from './services/production/prepared_submission.ts'
import { readSubmission, submissionRequest } from './services/production/submission_requests.ts'
import type { SubmissionName } from './services/production/submission_requests.ts'
import { createDatabase } from './state/database.ts'
import { SharedMemory, Turns } from './state/shared_memory.ts'

export { ANSWER_TEXTS } from './queries/answer_text.ts'
export { UnreadableLogError } from './chain/sharing/followed_blocks.ts'
export { BrokenLockError, ClosedStateError } from './state/state_lock.ts'
export type { StateRead } from './queries/state_reads.ts'
export { SUBMISSIONS, type SubmissionName } from './services/production/submission_requests.ts'
export {
  BusyError,
  ChainError,
  ERRORS,
  RequestError,
  limitedMessage,
  printableMessage,
  type ErrorDetail,
} from './errors.ts'

/** What a thread needs to read the state of a chain; the port must be transferred to it. */
export interface StateAccess {
  words: SharedArrayBuffer
  port: MessagePort
  chain_id: Uint8Array
  version: ServerVersion
  /** The limit for the conversions of one request; see `ConversionBudget`. */
  abi_serializer_max_time_us: number
  /** Undefined: the node takes no transactions. */
  submissions: SubmissionRules | undefined
}

/** The rules by which the keys of submissions are recovered. */
export interface SubmissionRules {
  /** Longest variable part of a WebAuthn signature; bytes. */
  max_signature_length: number
  /** One float64: microseconds that the recovery for one transaction may take. It may change. */
  time_limit_us: SharedArrayBuffer
}

/**
 * Reads the state of another thread's chain. Reads are made in turns; the state does not change during a turn,
 * and the chain's thread waits for the end of one.
 */
export class StateReader {
  private readonly memory: SharedMemory
  private readonly turns: Turns<News>
  private readonly blocks: FollowedBlocks
  private readonly chain: StateChain
  private readonly access: StateAccess
  private facts: SharedFacts | undefined

  constructor(access: StateAccess) {
    const memory = new SharedMemory(access.words)
    const db = createDatabase(memory)
    this.access = access
    this.memory = memory
    this.turns = new Turns<News>(memory, access.port, {
      onChange: () => db.trimCaches(0),
      onNews: (news) => this.hear(news),
    })
    const facts = (): SharedFacts => this.facts as SharedFacts
    const blocks = new FollowedBlocks(facts)
    this.blocks = blocks
    this.chain = {
      db,
      chain_id: access.chain_id,
      get head() {
        return facts().head
      },
      get last_irreversible() {
        return facts().last_irreversible
      },
      get fork_head() {
        return facts().fork_head
      },
      get earliest_available_block_num() {
        return facts().earliest_available_block_num
      },
      get rules() {
        return facts().rules
      },
      blockByNumber: (block_num) => blocks.blockByNumber(block_num),
      blockById: (id) => blocks.blockById(id),
    }
  }

  /** A number that changes with the chain; not a number if the state cannot be read any more. */
  get version(): number {
    const { version, lock } = this.memory
    return lock.isBroken ? NaN : version
  }

  /**
   * Runs a read in one turn; may wait for a change to end. What it returns must not refer to the state.
   * @throws BrokenLockError if a turn took so long that the chain did not wait for its end; from then on always
   * @throws ClosedStateError if the chain was closed
   * @throws UnreadableLogError if only the chain's thread can answer
   */
  read<T>(run: (answer: (operation: StateRead, body: unknown) => unknown) => T): T {
    this.turns.begin()
    try {
      return run(this.answer)
    } finally {
      this.turns.end()
    }
  }

  /** Whether this node takes transactions. */
  get takesSubmissions(): boolean {
    return this.access.submissions !== undefined
  }

  /**
   * Reads a submission, checks it and recovers its keys as the chain's thread would. Takes a turn only if ABIs are
   * needed. Returns what `ReadAccess.submit` takes.
   * @throws ChainError why it is refused
   * @throws BrokenLockError, ClosedStateError
   */
  prepare(operation: SubmissionName, body: unknown): Uint8Array {
    const { chain_id, abi_serializer_max_time_us } = this.access
    const { max_signature_length, time_limit_us } = this.access.submissions!
    const request = submissionRequest(operation, body as never)
    const read = () => {
      const budget = new ConversionBudget(abi_serializer_max_time_us)
      return readSubmission(this.chain, operation, request, { budget })
    }
    const submission = isPackedAlready(request.transaction) ? read() : this.read(read)
    const [limit = 0] = new Float64Array(time_limit_us)
    const rules = { chain_id, max_signature_length, time_limit_us: limit }
    return packSubmission(withKeys(submission, rules))
  }

  /** Whether something was sent that it has not taken. */
  get isBehind(): boolean {
    return this.turns.isBehind
  }

  /** Takes what was sent since the last turn. To be called from time to time, so that it takes no memory. */
  catchUp(): void {
    if (this.isBehind) this.read(() => undefined)
  }

  /** Closes files. */
  close(): void {
    this.blocks.close()
  }

  private hear({ facts, blocks }: News): void {
    this.facts = facts
    this.blocks.follow(blocks)
  }

  /** The answer of an operation.
   *  @throws ChainError */
  private readonly answer = (operation: StateRead, body: unknown): unknown => {
    const { version, abi_serializer_max_time_us } = this.access
    const budget = new ConversionBudget(abi_serializer_max_time_us)
    return STATE_READS[operation](this.chain, body as never, { budget, version })
  }
}

/** Whether no ABI is needed to read a transaction. */
function isPackedAlready(transaction: unknown): boolean {
  return isObject(transaction) && Boolean(transaction['packed_trx'])
}
