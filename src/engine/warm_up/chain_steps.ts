/**
 * Executes transactions on a chain of its own until V8 has compiled what executes them. Otherwise the first
 * transactions of users would be billed several times as much as later ones.
 */
import { packAbi } from '../abi/abi_binary.ts'
import { SYSTEM_ABI } from '../abi/system_abi.ts'
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
import { slotToUs, usToSlot } from '../protocol/time.ts'
import { packAction, plainTransaction, refBlockOf, type Action } from '../protocol/transaction.ts'
import { packOne, Writer } from '../protocol/writer.ts'
import { featureBlocks } from '../services/production/development/boot.ts'
import { WasmRuntime } from '../vm/runtime.ts'
import { FAIL, WORK, exampleContract } from './example_contracts.ts'

/** After these, few functions are still to be compiled: more save little. */
const ROUNDS = 40
/** Codes of each kind: what runs them sees more than one, and few stay in memory until garbage is collected. */
const CODES = 2
/** Blocks of a chain with fewer references to blocks than others. */
const BLOCK_SUMMARIES = 64
/** A well-known key: no other node sees the chain. */
const SECRET = privateKeyFromString(DEVELOPMENT_PRIVATE_KEY)
const EXPIRATION_SEC = 60
const TIME_LIMIT_US = 10_000_000
/** The time that passes between two looks at the clock of the chain: it does not depend on the node's. */
const LOOK_US = 10
const NO_SIGNATURE = new Uint8Array(66)

/**
 * Deploys contracts, runs them and makes blocks. Nothing of it is on a disk or stays after the last step.
 * @returns the traces of the transactions; each step takes a few milliseconds
 */
export function* chainSteps(
  clock: Pick<Clock, 'now' | 'waited'>,
  rounds = ROUNDS,
): Generator<TransactionTrace | undefined> {
  const chain = new ExampleChain(clock)
  yield
  yield* chain.features()
  yield
  for (let round = 0; round < rounds; round++) {
    const account = N('example') + (BigInt(round + 1) << 4n)
    const run = (name: bigint, data: Uint8Array): TransactionTrace =>
      chain.push(action(account, account, name, data))
    chain.begin()
    yield chain.push(newAccount(account, chain.key))
    for (const what of ['account', 'rows', 'keys', 'sending'] as const) {
      const code = exampleContract(what, round % CODES, SYSTEM_ACCOUNT)
      yield chain.push(setCode(account, code), setAbi(account))
      const data = Uint8Array.from({ length: 32 }, (_, i) => round + i)
      if (what === 'sending') {
        const inline = action(account, SYSTEM_ACCOUNT, WORK, data)
        yield run(WORK, packOne(packAction, inline))
        continue
      }
      yield run(WORK, data)
      yield run(WORK, data.subarray(1))
      yield run(FAIL, data)
    }
    chain.end()
    yield
  }
}

/** A chain in memory whose only key is well known. */
class ExampleChain {
  readonly key: Uint8Array
  private readonly chain: Chain
  private readonly now: () => number
  private count = 0

  constructor(clock: Pick<Clock, 'now' | 'waited'>) {
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

  features(): Generator<undefined> {
    const { chain, key, now } = this
    return featureBlocks(chain, { sign, key, now_us: now() })
  }

  begin(): void {
    const { chain, now } = this
    const slot = Math.max(usToSlot(now()), chain.head.timestamp + 1)
    chain.startBlock({ slot, confirmed: 0, status: 'incomplete' })
  }

  end(): void {
    this.chain.produceBlock(sign)
  }

  push(...actions: Action[]): TransactionTrace {
    const { chain, now } = this
    const now_sec = Math.floor(slotToUs(chain.pending!.slot) / 1_000_000)
    // Equal transactions differ in their expiration.
    const expiration = now_sec + EXPIRATION_SEC + (this.count++ % 1000)
    const trx = { expiration, ...refBlockOf(chain.head.id), ...plainTransaction(actions) }
    const packed = makePackedTransaction(trx, [NO_SIGNATURE])
    const meta = createMetadata(packed, 'input', { keys: [this.key], cpu_usage_us: 0 })
    // As the node's own: V8 compiles for the properties that it has seen, in their order.
    return chain.pushTransaction(meta, {
      block_deadline_us: now() + TIME_LIMIT_US,
      max_transaction_time_us: Infinity,
      billed_cpu_time_us: 0,
      explicit_billed_cpu_time: false,
      preparation: { left_us: TIME_LIMIT_US },
      waits_for_processor: false,
    })
  }
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
  return action(SYSTEM_ACCOUNT, SYSTEM_ACCOUNT, N('newaccount'), w.bytes())
}

function setCode(account: bigint, code: Uint8Array): Action {
  const w = new Writer()
  w.u64(account)
  w.u8(0)
  w.u8(0)
  w.blob(code)
  return action(account, SYSTEM_ACCOUNT, N('setcode'), w.bytes())
}

function setAbi(account: bigint): Action {
  const w = new Writer()
  w.u64(account)
  w.blob(packAbi(SYSTEM_ABI))
  return action(account, SYSTEM_ACCOUNT, N('setabi'), w.bytes())
}

function action(actor: bigint, account: bigint, name: bigint, data: Uint8Array): Action {
  return { account, name, authorization: [{ actor, permission: N('active') }], data }
}
