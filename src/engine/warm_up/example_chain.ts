import { createMetadata } from '../chain/base/transaction_metadata.ts'
import type { TransactionTrace } from '../chain/base/trace.ts'
import { Chain } from '../chain/chain.ts'
import { defaultRules } from '../chain/execution/subjective_rules.ts'
import type { Clock } from '../clock.ts'
import { signDigest } from '../crypto/keys.ts'
import { privateKeyFromString } from '../crypto/private_key.ts'
import { packAuthority, type Authority } from '../protocol/authority.ts'
import { SYSTEM_ACCOUNT } from '../protocol/constants.ts'
import { DEVELOPMENT_PRIVATE_KEY, defaultGenesis } from '../protocol/genesis.ts'
import { N } from '../protocol/name.ts'
import { makePackedTransaction } from '../protocol/packed_transaction.ts'
import type { PackedTransaction, UnpackedTransaction } from '../protocol/packed_transaction.ts'
import { slotToUs, usToSlot } from '../protocol/time.ts'
import { plainTransaction, refBlockOf, type Action } from '../protocol/transaction.ts'
import { Writer } from '../protocol/writer.ts'
import { featureBlocks } from '../services/production/development/boot.ts'
import { WasmRuntime } from '../vm/runtime.ts'

/** Blocks of a chain with fewer references to blocks than others: it may have so many. */
const BLOCK_SUMMARIES = 64
/** A well-known key: no other node sees the chain. */
const SECRET = privateKeyFromString(DEVELOPMENT_PRIVATE_KEY)
const EXPIRATION_SEC = 60
const TIME_LIMIT_US = 10_000_000
/** The time that passes between two looks at the clock of the chain: it does not depend on the node's. */
const LOOK_US = 10
const NO_SIGNATURE = new Uint8Array(66)

/** A chain in memory whose only key is well known. Nothing of it is on a disk. */
export class ExampleChain {
  readonly chain: Chain
  readonly now: () => number
  private readonly key: Uint8Array
  private count = 0

  private constructor(clock: Pick<Clock, 'now' | 'waited'>) {
    const genesis = defaultGenesis()
    let now_us = clock.now()
    const now = () => (now_us += LOOK_US)
    this.key = genesis.initial_key
    this.now = now
    this.chain = Chain.create(
      { genesis, rules: defaultRules(), block_summaries: BLOCK_SUMMARIES },
      {
        now,
        ...(clock.waited ? { waited: () => clock.waited!() } : {}),
        runtime: new WasmRuntime(),
      },
    )
  }

  /** A chain with all protocol features, in steps of a few milliseconds. */
  static *create(clock: Pick<Clock, 'now' | 'waited'>): Generator<undefined, ExampleChain> {
    const example = new ExampleChain(clock)
    yield
    yield* featureBlocks(example.chain, { sign, key: example.key, now_us: example.now() })
    yield
    return example
  }

  /** Begins the next block. */
  begin(): void {
    const { chain, now } = this
    const slot = Math.max(usToSlot(now()), chain.head.timestamp + 1)
    chain.startBlock({ slot, confirmed: 0, status: 'incomplete' })
  }

  /** Ends the block that was begun, with a fixed signature. */
  end(): void {
    this.chain.produceBlock(sign)
  }

  /** A transaction of the block that was begun; equal ones differ in their expiration. */
  pack(...actions: Action[]): PackedTransaction {
    const { chain } = this
    const now_sec = Math.floor(slotToUs(chain.pending!.slot) / 1_000_000)
    const expiration = now_sec + EXPIRATION_SEC + (this.count++ % 1000)
    const trx = { expiration, ...refBlockOf(chain.head.id), ...plainTransaction(actions) }
    return makePackedTransaction(trx, [NO_SIGNATURE])
  }

  /** Executes a transaction as if its signature were of the chain's key.
   *  @param opened where it was unpacked before */
  execute(packed: PackedTransaction, opened?: UnpackedTransaction): TransactionTrace {
    const recovered = { keys: [this.key], cpu_usage_us: 0 }
    const meta = createMetadata(packed, 'input', recovered, opened)
    // As the node's own: V8 compiles for the properties that it has seen, in their order.
    return this.chain.pushTransaction(meta, {
      block_deadline_us: this.now() + TIME_LIMIT_US,
      max_transaction_time_us: Infinity,
      billed_cpu_time_us: 0,
      subjective_cpu_bill_us: 0,
      explicit_billed_cpu_time: false,
      preparation: { left_us: TIME_LIMIT_US },
      waits_for_processor: false,
    })
  }

  /** Executes a transaction of these actions in the block that was begun. */
  push(...actions: Action[]): TransactionTrace {
    return this.execute(this.pack(...actions))
  }

  /** Creates an account that the chain's key and its own code may act for. */
  newAccount(name: bigint): TransactionTrace {
    return this.push(newAccount(name, this.key))
  }

  /** @param abi packed */
  deploy(account: bigint, code: Uint8Array, abi: Uint8Array): TransactionTrace {
    return this.push(setCode(account, code), setAbi(account, abi))
  }
}

/** An action with the authority of one account. */
export function exampleAction(
  actor: bigint,
  account: bigint,
  name: bigint,
  data: Uint8Array,
): Action {
  return { account, name, authorization: [{ actor, permission: N('active') }], data }
}

function sign(digest: Uint8Array): Uint8Array {
  return signDigest(SECRET, digest)
}

function newAccount(name: bigint, key: Uint8Array): Action {
  const code = { permission: { actor: name, permission: N('eosio.code') }, weight: 1 }
  const authority: Authority = {
    threshold: 1,
    keys: [{ key, weight: 1 }],
    accounts: [code],
    waits: [],
  }
  const w = new Writer()
  w.u64(SYSTEM_ACCOUNT)
  w.u64(name)
  packAuthority(w, authority)
  packAuthority(w, authority)
  return exampleAction(SYSTEM_ACCOUNT, SYSTEM_ACCOUNT, N('newaccount'), w.bytes())
}

function setCode(account: bigint, code: Uint8Array): Action {
  const w = new Writer()
  w.u64(account)
  w.u8(0)
  w.u8(0)
  w.blob(code)
  return exampleAction(account, SYSTEM_ACCOUNT, N('setcode'), w.bytes())
}

function setAbi(account: bigint, abi: Uint8Array): Action {
  const w = new Writer()
  w.u64(account)
  w.blob(abi)
  return exampleAction(account, SYSTEM_ACCOUNT, N('setabi'), w.bytes())
}
