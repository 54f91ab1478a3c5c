import type { Json, JsonObject } from '../abi/json.ts'
import { integerToJson } from '../abi/number_text.ts'
import { ripemd160 } from '../crypto/hash.ts'
import type { FinalityExtension } from '../protocol/block_extension.ts'
import type {
  Bitset,
  FinalizerAuthority,
  OrderedDiff,
  QcSignature,
  QuorumCertificate,
} from '../protocol/finality.ts'
import { slotToString } from '../protocol/time.ts'
import { producerAuthorityToJson } from './protocol_json.ts'

/** Text of BLS keys and signatures: base64url of the bytes and a checksum. */
function blsText(prefix: string, bytes: Uint8Array): string {
  const checksum = ripemd160(bytes).subarray(0, 4)
  return prefix + Buffer.concat([bytes, checksum]).toString('base64url')
}

/** `PUB_BLS_…`. spring: libraries/libfc/src/crypto/bls_public_key.cpp */
export const blsPublicKeyToString = (key: Uint8Array): string => blsText('PUB_BLS_', key)

/** `SIG_BLS_…`. spring: libraries/libfc/src/crypto/bls_signature.cpp */
export const blsSignatureToString = (signature: Uint8Array): string =>
  blsText('SIG_BLS_', signature)

/** `{description, weight, public_key}`. */
export function finalizerAuthorityToJson(finalizer: FinalizerAuthority): JsonObject {
  return {
    description: finalizer.description,
    weight: integerToJson(finalizer.weight),
    public_key: blsPublicKeyToString(finalizer.public_key),
  }
}

function diffToJson<T>(diff: OrderedDiff<T>, item: (value: T) => Json): JsonObject {
  return {
    remove_indexes: diff.remove_indexes,
    insert_indexes: diff.insert_indexes.map(([index, value]) => [index, item(value)]),
  }
}

/** JSON of what a Savanna header claims and proposes; absent parts are left out. */
export function finalityExtensionToJson(extension: FinalityExtension): JsonObject {
  const {
    qc_claim,
    new_finalizer_policy_diff: policy,
    new_proposer_policy_diff: proposer,
  } = extension
  return {
    qc_claim: { block_num: qc_claim.block_num, is_strong_qc: qc_claim.is_strong_qc },
    ...(policy && {
      new_finalizer_policy_diff: {
        generation: policy.generation,
        threshold: integerToJson(policy.threshold),
        finalizers_diff: diffToJson(policy.finalizers_diff, finalizerAuthorityToJson),
      },
    }),
    ...(proposer && {
      new_proposer_policy_diff: {
        version: proposer.version,
        proposal_time: slotToString(proposer.proposal_time),
        producer_auth_diff: diffToJson(proposer.producer_auth_diff, producerAuthorityToJson),
      },
    }),
  }
}

/** Bits as text, the highest first. */
function bitsToText({ size, blocks }: Bitset): string {
  let text = ''
  for (let i = size - 1; i >= 0; i--) text += (blocks[i >> 3]! >> (i & 7)) & 1
  return text
}

function qcSignatureToJson(signature: QcSignature): JsonObject {
  return {
    ...(signature.strong_votes && { strong_votes: bitsToText(signature.strong_votes) }),
    ...(signature.weak_votes && { weak_votes: bitsToText(signature.weak_votes) }),
    sig: blsSignatureToString(signature.sig),
  }
}

/** JSON of a quorum certificate. */
export function quorumCertificateToJson(qc: QuorumCertificate): JsonObject {
  return {
    block_num: qc.block_num,
    active_policy_sig: qcSignatureToJson(qc.active_policy_sig),
    ...(qc.pending_policy_sig && { pending_policy_sig: qcSignatureToJson(qc.pending_policy_sig) }),
  }
}
