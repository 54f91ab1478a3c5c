/**
 * The signatures of a block, and whether they satisfy the producer's authority.
 * spring: libraries/chain/block_header_state_legacy.cpp (sig_digest, sign, verify_signee),
 * libraries/chain/block_state.cpp (verify_signee, sign)
 */
import { check } from '../../errors.ts'
import { blockHeaderDigest, blockSigningDigestLegacy } from '../../crypto/digests.ts'
import { recoverKey } from '../../crypto/keys.ts'
import type { LateSignature } from '../../crypto/shared_signing.ts'
import { publicKeyToString } from '../../protocol/key.ts'
import { toHex } from '../../protocol/hex.ts'
import type { BlockSigningAuthority } from '../../protocol/schedule.ts'
import type { HeaderState } from './legacy/header_state.ts'

/** Signs a digest with a key; undefined if the node does not have it. The signature is not checked afterwards. */
export type BlockSigner = (digest: Uint8Array, key: Uint8Array) => Uint8Array | undefined

/** The same, but signatures may be made later, on another thread. */
export type LateBlockSigner = (
  digest: Uint8Array,
  key: Uint8Array,
) => Uint8Array | LateSignature | undefined

/**
 * The digest that producers sign before Savanna: header, all block ids so far, and the pending
 * schedule. Under Savanna it is the id.
 */
export function blockSigDigest(state: HeaderState): Uint8Array {
  return blockSigningDigestLegacy(
    blockHeaderDigest(state.header),
    state.blockroot_merkle.root(),
    state.pending_schedule.schedule_hash,
  )
}

/**
 * Checks that the signatures of a legacy block are enough.
 * @throws ChainError wrong_signing_key
 */
export function verifySignee(state: HeaderState): void {
  const { valid_block_signing_authority: authority, header, additional_signatures } = state
  const signatures = [header.producer_signature, ...additional_signatures]
  verifySignatures(authority, blockSigDigest(state), signatures)
}

/**
 * Checks that the signatures of a digest satisfy an authority and that each of them is needed: no
 * key twice, no key that the authority does not name.
 * @throws ChainError wrong_signing_key
 */
export function verifySignatures(
  authority: BlockSigningAuthority,
  digest: Uint8Array,
  signatures: readonly Uint8Array[],
): void {
  const [, { keys }] = authority
  check(
    signatures.length <= keys.length,
    'wrong_signing_key',
    () =>
      `number of block signatures (${signatures.length}) exceeds ` +
      `number of keys in block signing authority (${keys.length})`,
  )
  checkSigners(
    authority,
    signatures.map((signature) => recoverKey(signature, digest)),
  )
}

function checkSigners(authority: BlockSigningAuthority, signed_by: readonly Uint8Array[]): void {
  const [, { keys }] = authority
  const signers = new Map<string, Uint8Array>()
  for (const key of signed_by) {
    const hex = toHex(key)
    check(!signers.has(hex), 'wrong_signing_key', 'block signed by same key twice')
    signers.set(hex, key)
  }
  const { satisfied, relevant } = weigh(authority, new Set(signers.keys()))
  check(
    relevant === signers.size,
    'wrong_signing_key',
    () =>
      `block signed by unexpected key: ${names([...signers.values()])}, ` +
      `expected: ${names(keys.map((k) => k.key))}. ${relevant} != ${signers.size}`,
  )
  checkWeight(satisfied)
}

function checkWeight(satisfied: boolean): void {
  check(
    satisfied,
    'wrong_signing_key',
    'block signatures do not satisfy the block signing authority',
  )
}

/** Signatures of a digest by the keys of an authority that the signer has. */
export interface BlockSignatures {
  /** The header's own. */
  producer_signature: Uint8Array
  additional_signatures: Uint8Array[]
}

/**
 * Signs a digest with every key of an authority that the node has; the last signature is the header's own. Whose
 * signatures they are is known, so it is not computed from them.
 * @returns gives the signatures, and waits for those that are made later
 * @throws ChainError no_block_signatures without any key, wrong_signing_key if the keys are not enough
 */
export function signFor(
  authority: BlockSigningAuthority,
  digest: Uint8Array,
  sign: LateBlockSigner,
): () => BlockSignatures {
  const [, { keys, threshold }] = authority
  const signatures: (Uint8Array | LateSignature)[] = []
  let signed_weight = 0
  // The keys of an authority differ, so each signature is needed.
  for (const { key, weight } of keys) {
    const signature = sign(digest, key)
    if (signature === undefined) continue
    signatures.push(signature)
    signed_weight += weight
  }
  const last = signatures.at(-1)
  check(last, 'no_block_signatures', 'Signer returned no signatures')
  checkWeight(signed_weight >= threshold)
  return () => ({
    producer_signature: made(last),
    additional_signatures: signatures.slice(0, -1).map(made),
  })
}

function made(signature: Uint8Array | LateSignature): Uint8Array {
  return typeof signature === 'function' ? signature() : signature
}

/** Keys that may sign for an authority, in its order. */
export function authorityKeys(authority: BlockSigningAuthority): Uint8Array[] {
  return authority[1].keys.map(({ key }) => key)
}

function weigh(
  authority: BlockSigningAuthority,
  signers: ReadonlySet<string>,
): { satisfied: boolean; relevant: number } {
  const [, { threshold, keys }] = authority
  let weight = 0
  let relevant = 0
  for (const entry of keys) {
    if (!signers.has(toHex(entry.key))) continue
    weight += entry.weight
    relevant += 1
  }
  return { satisfied: weight >= threshold, relevant }
}

function names(keys: readonly Uint8Array[]): string {
  return `[${keys.map((key) => publicKeyToString(key)).join(', ')}]`
}
