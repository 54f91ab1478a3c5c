/**
 * Activates Savanna on a new development chain, only with blocks that every node can replay:
 *
 * - block 2 activates PREACTIVATE_FEATURE; a contract on eosio preactivates all other features;
 * - block 3 activates them; a contract on eosio proposes the finalizers, and is removed again;
 * - block 4 makes block 3 irreversible by the legacy rules, which ends the transition.
 *
 * The following blocks are Savanna blocks. The blocks have the last slots before the current one.
 */
import { SYSTEM_ACCOUNT } from '../../../protocol/constants.ts'
import type { FinalizerAuthority } from '../../../protocol/finality.ts'
import { bytesEqual } from '../../../protocol/hex.ts'
import { N } from '../../../protocol/name.ts'
import { makePackedTransaction } from '../../../protocol/packed_transaction.ts'
import { slotToUs, usToSlot } from '../../../protocol/time.ts'
import { refBlockOf, plainTransaction } from '../../../protocol/transaction.ts'
import type { Action } from '../../../protocol/transaction.ts'
import { Writer } from '../../../protocol/writer.ts'
import type { Chain } from '../../../chain/chain.ts'
import type { BlockSigner } from '../../../chain/headers/block_signing.ts'
import { FEATURE_SPECS } from '../../../protocol/features.ts'
import {
  createMetadata,
  metadataSigningDigest,
  recoverMetadataKeys,
} from '../../../chain/base/transaction_metadata.ts'
import { ACTIVATE, SET_FINALIZER, featureContract, finalizerContract } from './boot_contract.ts'

/** The last block that is made here. */
const LAST_BLOCK = 4
const PREACTIVATION = 'PREACTIVATE_FEATURE'
const EXPIRATION_SEC = 60
/**
 * The billed time of each transaction, independent of the speed of the machine, so that a busy
 * machine starts too.
 */
const BOOT_CPU_US = 2_000

/** The options of the first blocks of a chain with every feature. */
export interface FeatureOptions {
  /** Signs blocks and transactions for eosio. */
  sign: BlockSigner
  /** The key of eosio@active. */
  key: Uint8Array
  /** Microseconds since 1970. */
  now_us: number
}

/** The options of the first blocks of a development chain. */
export interface BootOptions extends FeatureOptions {
  /** Public keys of the finalizers, which get the same weight. */
  finalizers: readonly Uint8Array[]
}

/** Whether the chain is a new one, or one that was left in the middle of this. */
export function needsBoot(chain: Chain): boolean {
  const { head } = chain
  if (head.block_num >= LAST_BLOCK) return false
  // On a chain that was started by another program, blocks 2 and 3 have not preactivated anything.
  return head.block_num === 1 || head.savanna !== undefined || willActivateSavanna(chain)
}

function willActivateSavanna(chain: Chain): boolean {
  const digest = chain.features.byName('SAVANNA').digest
  return chain.preactivatedFeatures().some((other) => bytesEqual(other, digest))
}

/** Makes the blocks that are missing. */
export function bootDevelopmentChain(chain: Chain, options: BootOptions): void {
  const { now_us } = options
  while (needsBoot(chain)) {
    const num = chain.head.block_num + 1
    const slot = Math.max(usToSlot(now_us) - (LAST_BLOCK - num), chain.head.timestamp + 1)
    if (num === 2) produce(chain, options, slot, activateFeatures(chain))
    else if (num === 3) produce(chain, options, slot, proposeFinalizers(options.finalizers))
    else produce(chain, options, slot, [])
  }
}

/**
 * Activates every feature on a new chain as {@link bootDevelopmentChain} does, in blocks 2 and 3, but
 * proposes no finalizers. So contracts see the same, and blocks become irreversible without votes.
 */
export function activateAllFeatures(chain: Chain, options: FeatureOptions): void {
  const blocks = featureBlocks(chain, options)
  while (!blocks.next().done);
}

/** The same, one block at a time. */
export function* featureBlocks(chain: Chain, options: FeatureOptions): Generator<undefined> {
  const slot = Math.max(usToSlot(options.now_us) - 1, chain.head.timestamp + 1)
  produce(chain, options, slot, activateFeatures(chain))
  yield
  produce(chain, options, slot + 1, [setcode(new Uint8Array(0))])
}

function produce(chain: Chain, options: FeatureOptions, slot: number, actions: Action[]): void {
  const first = chain.features.byName(PREACTIVATION).digest
  const features = chain.head.block_num === 1 ? [first] : chain.preactivatedFeatures()
  chain.startBlock({ slot, confirmed: 0, features, status: 'incomplete' })
  if (actions.length > 0) push(chain, options, slot, actions)
  chain.produceBlock(options.sign)
}

function push(chain: Chain, { sign, key }: FeatureOptions, slot: number, actions: Action[]): void {
  const trx = {
    expiration: Math.floor(slotToUs(slot) / 1_000_000) + EXPIRATION_SEC,
    ...refBlockOf(chain.head.id),
    ...plainTransaction(actions),
  }
  const unsigned = createMetadata(makePackedTransaction(trx, []), 'input')
  const signature = sign(metadataSigningDigest(unsigned, chain.chain_id), key)
  const signed = createMetadata(makePackedTransaction(trx, signature ? [signature] : []), 'input')
  const trace = chain.pushTransaction(recoverMetadataKeys(signed, chain.chain_id), {
    block_deadline_us: Infinity,
    max_transaction_time_us: Infinity,
    billed_cpu_time_us: BOOT_CPU_US,
    explicit_billed_cpu_time: true,
  })
  if (trace.except) throw trace.except
}

function activateFeatures(chain: Chain): Action[] {
  const digests = FEATURE_SPECS.filter(({ name }) => name !== PREACTIVATION).map(
    ({ name }) => chain.features.byName(name).digest,
  )
  return [setcode(featureContract()), ...digests.map((digest) => action(ACTIVATE, digest))]
}

/** More than two thirds of them must agree. */
function proposeFinalizers(keys: readonly Uint8Array[]): Action[] {
  const finalizers = keys.map((public_key, i) => ({
    description: `development finalizer ${i + 1}`,
    weight: 1n,
    public_key,
  }))
  const threshold = BigInt(Math.floor((keys.length * 2) / 3) + 1)
  return [
    setcode(finalizerContract()),
    action(SET_FINALIZER, packFinalizers(threshold, finalizers)),
    // Afterwards the account is empty, as on a chain that was started manually.
    setcode(new Uint8Array(0)),
  ]
}

/** The argument of set_finalizers. */
export function packFinalizers(
  threshold: bigint,
  finalizers: readonly FinalizerAuthority[],
): Uint8Array {
  const w = new Writer()
  w.u64(threshold)
  w.array(finalizers, (w, { description, weight, public_key }) => {
    w.byteString(description)
    w.u64(weight)
    w.blob(public_key)
  })
  return w.bytes()
}

function setcode(code: Uint8Array): Action {
  const w = new Writer()
  w.u64(SYSTEM_ACCOUNT)
  w.u8(0)
  w.u8(0)
  w.blob(code)
  return action(N('setcode'), w.bytes())
}

function action(name: bigint, data: Uint8Array): Action {
  const authorization = [{ actor: SYSTEM_ACCOUNT, permission: N('active') }]
  return { account: SYSTEM_ACCOUNT, name, authorization, data }
}
