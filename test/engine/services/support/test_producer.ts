/** A producer with its chain in memory, on a clock that the test moves. */
import {
  privateKeyFromString,
  publicKeyOf,
  signDigest,
  type PrivateKey,
} from '../../../../src/engine/crypto/keys.ts'
import { Chain } from '../../../../src/engine/chain/chain.ts'
import {
  createMetadata,
  metadataSigningDigest,
} from '../../../../src/engine/chain/base/transaction_metadata.ts'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'
import { defaultRules } from '../../../../src/engine/chain/execution/subjective_rules.ts'
import type { ChainError } from '../../../../src/engine/errors.ts'
import { defaultGenesis } from '../../../../src/engine/protocol/genesis.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import {
  makePackedTransaction,
  type PackedTransaction,
} from '../../../../src/engine/protocol/packed_transaction.ts'
import { refBlockOf, type Action } from '../../../../src/engine/protocol/transaction.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { MemoryStore } from '../../../../src/engine/store/memory_store.ts'
import type { MutableRules } from '../../../../src/engine/chain/execution/subjective_rules.ts'
import { Producer } from '../../../../src/engine/services/production/producer.ts'
import type { ProducerOptions } from '../../../../src/engine/services/production/producer_options.ts'
import { DEFAULT_RUNTIME_OPTIONS } from '../../../../src/engine/services/production/runtime_options.ts'
import type { SubmitOptions } from '../../../../src/engine/services/production/submission.ts'
import { TransactionStatusTracker } from '../../../../src/engine/services/transaction_status/tracker.ts'
import type { AccountFailureOptions } from '../../../../src/engine/services/subjective_billing/account_failures.ts'
import type { SubjectiveBillingOptions } from '../../../../src/engine/services/subjective_billing/subjective_billing.ts'
import { SubjectiveLimits } from '../../../../src/engine/services/subjective_billing/subjective_limits.ts'
import {
  TransactionRetry,
  type RetryOptions,
} from '../../../../src/engine/services/transaction_retry/transaction_retry.ts'
import { WasmRuntime } from '../../../../src/engine/vm/runtime.ts'
import { newaccount } from '../../chain/support/test_chain.ts'
import type { Clock } from '../../../../src/engine/clock.ts'
import { FakeClock } from './fake_clock.ts'

export const SECOND_US = 1_000_000
export const BLOCK_US = 500_000
const DEVELOPMENT_SECRET = privateKeyFromString(
  '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3',
)

/** How a submission ended; undefined while it waits. */
export interface Submission {
  id: Uint8Array
  trace?: TransactionTrace
  error?: ChainError
  done: boolean
}

/** Options of production, and of the services that it needs. */
export interface TestOptions extends ProducerOptions {
  subjective_billing: SubjectiveBillingOptions
  account_failures: AccountFailureOptions
  /** Undefined: no submission waits for its block. */
  retry: RetryOptions | undefined
}

const DEFAULTS: TestOptions = {
  producers: [N('eosio')],
  signing_keys: new Map([[toHex(publicKeyOf(DEVELOPMENT_SECRET)), DEVELOPMENT_SECRET]]),
  enable_stale_production: true,
  pause_on_startup: false,
  max_reversible_blocks: 3600,
  pause_vote_timeout_us: 0,
  max_block_cpu_usage_threshold_us: 5000,
  max_block_net_usage_threshold_bytes: 1024,
  max_queue_bytes: 2 ** 20,
  recovery_threads: 0,
  read_only_window_us: 60_000,
  max_dry_runs_per_second: Infinity,
  waits_for_processor: false,
  runtime: DEFAULT_RUNTIME_OPTIONS,
  subjective_billing: {
    bill_api: false,
    bill_p2p: false,
    disabled_accounts: new Set(),
    decay_time_minutes: 1440,
  },
  account_failures: { max_failures: 3, window_blocks: 1 },
  retry: { max_bytes: 2 ** 20, interval_us: 20 * SECOND_US, max_expiration_us: 120 * SECOND_US },
}
const STATUS = {
  max_bytes: 2 ** 20,
  success_duration_us: 180 * SECOND_US,
  failure_duration_us: 180 * SECOND_US,
}

export class TestProducer {
  readonly chain: Chain
  readonly clock: FakeClock
  readonly producer: Producer
  readonly status: TransactionStatusTracker
  readonly rules: MutableRules
  readonly log: string[]
  readonly retry: TransactionRetry | undefined
  private nonce = 0n

  private constructor(
    chain: Chain,
    clock: FakeClock,
    producer: Producer,
    rules: MutableRules,
    log: string[],
    retry: TransactionRetry | undefined,
  ) {
    this.retry = retry
    this.chain = chain
    this.clock = clock
    this.producer = producer
    this.status = new TransactionStatusTracker(STATUS, clock)
    this.status.follow(chain.events)
    this.rules = rules
    this.log = log
  }

  /**
   * A development chain whose producer was started.
   * @param makeClock what the chain has for a clock, made from the one that the test moves
   * @param waited microseconds for which the thread waited for a processor
   */
  static async start(
    options: Partial<TestOptions> = {},
    makeClock: (moved: FakeClock) => Clock = (moved) => moved,
    wasm = new WasmRuntime(),
    waited?: () => number,
  ): Promise<TestProducer> {
    const genesis = defaultGenesis()
    // A whole round before the first slot that a test sees, so that blocks have their usual times.
    const clock = new FakeClock(genesis.initial_timestamp + 3600 * SECOND_US)
    // The recovery of keys takes real time, which a test must not depend on.
    const rules = { ...defaultRules(), sig_cpu_bill_pct: 0 } as MutableRules
    const lines: string[] = []
    const log = (level: string, message: string) => void lines.push(`${level} ${message}`)
    const seen = makeClock(clock)
    const now = () => seen.now()
    const store = new MemoryStore()
    const chain = await Chain.open(
      { genesis, rules },
      { store, now, log, runtime: wasm, ...(waited && { waited }) },
    )
    const all = { ...DEFAULTS, ...options, runtime: { ...DEFAULTS.runtime, ...options.runtime } }
    const isKnown = ({ id }: { id: Uint8Array }) => chain.isKnownTransaction(id)
    const retry = all.retry && new TransactionRetry(all.retry, { clock: seen, isKnown })
    retry?.follow(chain.events)
    const { subjective_billing: billing, account_failures: failures } = all
    const limits = new SubjectiveLimits({ billing, failures }, seen)
    limits.follow(chain.events)
    const producer = new Producer(all, { chain, clock: seen, rules, log, limits, retry })
    const test = new TestProducer(chain, clock, producer, rules, lines, retry)
    producer.start()
    return test
  }

  get head(): number {
    return this.chain.head.block_num
  }

  get slot(): number {
    return this.chain.head.timestamp
  }

  /** Lets time pass until `count` more blocks are there. */
  async produce(count = 1): Promise<void> {
    const end = this.head + count
    for (let passed = 0; this.head < end; passed += BLOCK_US / 10) {
      if (passed > (count + 2) * 2 * BLOCK_US) throw new Error('no block is produced')
      await this.clock.pass(BLOCK_US / 10)
    }
  }

  /** Pauses production, and waits for the end of the block in work. */
  async pause(): Promise<void> {
    const { loop } = this.producer
    loop.pause()
    while (loop.mode === 'producing') await this.clock.pass(BLOCK_US / 10)
  }

  /** A signed transaction, unlike all before. @param expires_us from now */
  sign(
    actions: Action[],
    {
      secrets = [DEVELOPMENT_SECRET],
      expires_us = 60 * SECOND_US,
      max_cpu_usage_ms = 0,
      chain_id = this.chain.chain_id,
    } = {},
  ): PackedTransaction {
    const w = new Writer()
    w.u64(++this.nonce)
    const trx = {
      expiration: Math.floor((this.clock.time_us + expires_us) / SECOND_US),
      ...refBlockOf(this.chain.head.id),
      max_net_usage_words: 0,
      max_cpu_usage_ms,
      delay_sec: 0,
      context_free_actions: [
        { account: N('eosio.null'), name: N('nonce'), authorization: [], data: w.bytes() },
      ],
      actions,
      transaction_extensions: [],
    }
    const unsigned = createMetadata(makePackedTransaction(trx, []), 'input')
    const digest = metadataSigningDigest(unsigned, chain_id)
    return makePackedTransaction(
      trx,
      secrets.map((secret: PrivateKey) => signDigest(secret, digest)),
    )
  }

  /** Submits; what comes of it is written into the answer. */
  async submit(
    what: Action[] | PackedTransaction,
    options: Partial<SubmitOptions> = {},
  ): Promise<Submission> {
    const packed = Array.isArray(what) ? this.sign(what) : what
    const submission: Submission = { id: createMetadata(packed, 'input').id, done: false }
    this.producer.submit(packed, { return_failure_trace: false, ...options }).then(
      (trace) => Object.assign(submission, { trace, done: true }),
      (error: ChainError) => Object.assign(submission, { error, done: true }),
    )
    await this.clock.pass(0)
    return submission
  }

  state(submission: Submission): string {
    return this.status.get(submission.id).state
  }

  async stop(): Promise<void> {
    this.retry?.endWaits()
    await this.producer.stop()
    await this.chain.close()
  }
}

/** An action that succeeds once for each name. */
export function createAccount(name: string): Action {
  return newaccount(name, publicKeyOf(DEVELOPMENT_SECRET))
}

/** An action of an account that has no contract. */
export function nothing(actor = 'eosio'): Action {
  return {
    account: N('eosio.null'),
    name: N('nothing'),
    authorization: [{ actor: N(actor), permission: N('active') }],
    data: new Uint8Array(),
  }
}

/** Gives an account a contract. */
export function setCode(account: string, code: Uint8Array): Action {
  const w = new Writer()
  w.u64(N(account))
  w.u8(0)
  w.u8(0)
  w.blob(code)
  return {
    account: N('eosio'),
    name: N('setcode'),
    authorization: [{ actor: N(account), permission: N('active') }],
    data: w.bytes(),
  }
}

/** An action of a contract. */
export function call(account: string, actor = account, name = 'run'): Action {
  return {
    account: N(account),
    name: N(name),
    authorization: [{ actor: N(actor), permission: N('active') }],
    data: new Uint8Array(),
  }
}
