import { blsAggregateVerify, blsSign, useBlsGroup } from '../../../../src/engine/crypto/bls.ts'
import type { BlsSigners } from '../../../../src/engine/crypto/bls.ts'
import { loadBlsWasm } from '../../../../src/engine/crypto/bls_wasm.ts'
import { blockId, scheduleDigestLegacy } from '../../../../src/engine/crypto/digests.ts'
import {
  privateKeyFromString,
  publicKeyOf,
  signDigest,
} from '../../../../src/engine/crypto/keys.ts'
import type { PrivateKey } from '../../../../src/engine/crypto/keys.ts'
import { keyAuthority, packAuthority } from '../../../../src/engine/protocol/authority.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import { defaultGenesis } from '../../../../src/engine/protocol/genesis.ts'
import type { GenesisState } from '../../../../src/engine/protocol/genesis.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { makePackedTransaction } from '../../../../src/engine/protocol/packed_transaction.ts'
import type { BlockSigningAuthority } from '../../../../src/engine/protocol/schedule.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import { refBlockOf } from '../../../../src/engine/protocol/transaction.ts'
import type { Action, Transaction } from '../../../../src/engine/protocol/transaction.ts'
import { Writer } from '../../../../src/engine/protocol/writer.ts'
import { NoStore } from '../../../../src/engine/store/no_store.ts'
import type { Store } from '../../../../src/engine/store/store.ts'
import {
  authorityKeys,
  blockSigDigest,
} from '../../../../src/engine/chain/headers/block_signing.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import type { FeatureSet } from '../../../../src/engine/chain/rules/features.ts'
import { Chain } from '../../../../src/engine/chain/chain.ts'
import type { ChainDependencies, ChainOptions } from '../../../../src/engine/chain/chain_options.ts'
import {
  createMetadata,
  metadataSigningDigest,
  recoverMetadataKeys,
} from '../../../../src/engine/chain/base/transaction_metadata.ts'
import type { TransactionMetadata } from '../../../../src/engine/chain/base/transaction_metadata.ts'
import type { TransactionTrace } from '../../../../src/engine/chain/base/trace.ts'

// As the node does on its thread for BLS. To wait for WASM alone does not keep a process from its end.
const alive = setInterval(() => undefined, 1000)
useBlsGroup(await loadBlsWasm())
clearInterval(alive)

/** The development key, which the default genesis gives to eosio. */
export const DEVELOPMENT_SECRET = privateKeyFromString(
  '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3',
)

/** A secret of its own for each number. */
export function secretOf(seed: number): PrivateKey {
  return { type: 0, data: new Uint8Array(32).fill(seed) }
}

/** BLS keys at work on the test's own thread. */
export const INLINE_BLS = {
  sign: async (secret: Uint8Array, message: Uint8Array) => blsSign(secret, message),
  verify: async (signers: BlsSigners[], signature: Uint8Array) =>
    blsAggregateVerify(signers, signature),
}

/** Limits with which a test pushes: no deadline, what the run took is billed. */
const NO_LIMITS = {
  block_deadline_us: Infinity,
  max_transaction_time_us: Infinity,
  billed_cpu_time_us: 200,
  explicit_billed_cpu_time: true,
}

/** A chain in memory or on disk whose clock stands still unless blocks are made. */
export class TestChain {
  readonly chain: Chain
  private readonly secrets = new Map<string, PrivateKey>()
  private readonly clock: { now_us: number }
  private nonce = 0

  private constructor(chain: Chain, clock: { now_us: number }) {
    this.chain = chain
    this.clock = clock
    this.addSecret(DEVELOPMENT_SECRET)
  }

  static async open(
    options: ChainOptions = {},
    store: Store = new NoStore(),
    deps: Partial<ChainDependencies> = {},
  ): Promise<TestChain> {
    const has_state = [options.snapshot, options.fork, options.fork_file].some(Boolean)
    const genesis: GenesisState = options.genesis ?? defaultGenesis()
    const clock = { now_us: genesis.initial_timestamp }
    const now = (): number => clock.now_us++
    const chain = await Chain.open(has_state ? options : { ...options, genesis }, {
      store,
      now,
      bls: INLINE_BLS,
      ...deps,
    })
    return new TestChain(chain, clock)
  }

  addSecret(secret: PrivateKey): Uint8Array {
    const key = publicKeyOf(secret)
    this.secrets.set(toHex(key), secret)
    return key
  }

  get head(): BlockState {
    return this.chain.head
  }

  /** Moves the clock on to a slot. */
  setTime(slot: number): void {
    this.clock.now_us = Math.max(this.clock.now_us, slotToUs(slot))
  }

  /** Begins a block, `skip` slots later than the next. */
  start(skip = 0, { confirmed = 0, features = this.chain.preactivatedFeatures() } = {}): void {
    const slot = this.chain.head.timestamp + 1 + skip
    this.setTime(slot)
    this.chain.startBlock({ slot, confirmed, features, status: 'incomplete' })
  }

  /** Ends the block that was begun. */
  finish(): BlockState {
    return this.chain.produceBlock((digest, key) => {
      const secret = this.secrets.get(toHex(key))
      return secret && signDigest(secret, digest)
    })
  }

  /** `block`, a changed form of the block of `of`, with a right signature. */
  resign(of: BlockState, block: SignedBlock): SignedBlock {
    if (of.legacy === undefined) {
      return { ...block, producer_signature: signDigest(DEVELOPMENT_SECRET, blockId(block)) }
    }
    const { new_producers } = block
    const pending_schedule = new_producers
      ? { ...of.legacy!.pending_schedule, schedule_hash: scheduleDigestLegacy(new_producers) }
      : of.legacy!.pending_schedule
    const state = { ...of.legacy!, header: block, pending_schedule }
    const [key] = authorityKeys(state.valid_block_signing_authority)
    const secret = this.secrets.get(toHex(key!))
    return { ...block, producer_signature: signDigest(secret!, blockSigDigest(state)) }
  }

  /** Makes blocks with nothing but what is pending in the first. */
  produce(count = 1, skip = 0): BlockState {
    for (let i = 0; i < count; i++) {
      if (!this.chain.pending) this.start(i === 0 ? skip : 0)
      this.finish()
    }
    return this.chain.head
  }

  /**
   * Gives the chain producers of their own, `names` in order, with keys of {@link secretOf}. What a
   * privileged contract would do is done to the state, so every chain must do it at the same block.
   */
  proposeProducers(names: readonly string[], authority?: BlockSigningAuthority): void {
    const producers = names.map((name, i) => {
      const key = this.addSecret(secretOf(i + 1))
      const own: BlockSigningAuthority = [0, { threshold: 1, keys: [{ key, weight: 1 }] }]
      return { producer_name: N(name), authority: authority ?? own }
    })
    const { db, pending } = this.chain
    const { version } = pending!.active_schedule
    db.global_property.modify(db.global_property.single(), (row) => {
      row.proposed_schedule_block_num = pending!.block_num
      row.proposed_schedule = { version: version + 1, producers }
    })
  }

  /** Preactivates a feature in the pending block, as a privileged contract would. */
  preactivate(name: Parameters<FeatureSet['byName']>[0]): void {
    const { db, features } = this.chain
    db.protocol_state.modify(db.protocol_state.single(), (row) => {
      row.preactivated_protocol_features.push(features.byName(name).digest)
    })
  }

  /** A signed transaction of these actions; each is unlike the ones before. */
  sign(actions: Action[], secrets: PrivateKey[] = [DEVELOPMENT_SECRET]): TransactionMetadata {
    const trx: Transaction = {
      expiration: Math.floor(slotToUs(this.chain.head.timestamp) / 1_000_000) + 60,
      ...refBlockOf(this.chain.head.id),
      max_net_usage_words: 0,
      max_cpu_usage_ms: 0,
      delay_sec: 0,
      context_free_actions: [
        { account: N('eosio.null'), name: N('nonce'), authorization: [], data: this.unique() },
      ],
      actions,
      transaction_extensions: [],
    }
    const unsigned = createMetadata(makePackedTransaction(trx, []), 'input')
    const digest = metadataSigningDigest(unsigned, this.chain.chain_id)
    const signatures = secrets.map((secret) => signDigest(secret, digest))
    const signed = createMetadata(makePackedTransaction(trx, signatures), 'input')
    return recoverMetadataKeys(signed, this.chain.chain_id)
  }

  /** Pushes into the pending block, which is begun if there is none; throws if it fails. */
  push(actions: Action[], secrets?: PrivateKey[]): TransactionTrace {
    if (!this.chain.pending) this.start()
    const trace = this.chain.pushTransaction(this.sign(actions, secrets), NO_LIMITS)
    if (trace.except) throw trace.except
    return trace
  }

  /** Creates an account with a key. */
  createAccount(name: string, key: Uint8Array = publicKeyOf(DEVELOPMENT_SECRET)): TransactionTrace {
    return this.push([newaccount(name, key)])
  }

  private unique(): Uint8Array {
    const w = new Writer()
    w.u64(BigInt(++this.nonce))
    return w.bytes()
  }
}

/** The native action that creates an account. */
export function newaccount(name: string, key: Uint8Array): Action {
  const w = new Writer()
  w.u64(N('eosio'))
  w.u64(N(name))
  packAuthority(w, keyAuthority(key))
  packAuthority(w, keyAuthority(key))
  return {
    account: N('eosio'),
    name: N('newaccount'),
    authorization: [{ actor: N('eosio'), permission: N('active') }],
    data: w.bytes(),
  }
}
