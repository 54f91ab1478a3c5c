import type { IntegerJson } from '../abi/number_text.ts'
import { integerToJson } from '../abi/number_text.ts'
import type { FinalityExtension } from '../protocol/block_extension.ts'
import type {
  Bitset,
  FinalizerAuthority,
  OrderedDiff,
  QcSignature,
  QuorumCertificate,
} from '../protocol/finality.ts'
import { latin1ToBytes, printableUtf8 } from '../protocol/hex.ts'
import { blsPublicKeyToString, blsSignatureToString } from '../protocol/bls_text.ts'
import { slotToString } from '../protocol/time.ts'
import type { ProducerAuthorityJson } from './protocol.ts'
import { producerAuthorityToJson } from './protocol.ts'

/** A finalizer of a policy. */
export interface FinalizerAuthorityJson {
  description: string
  weight: IntegerJson
  public_key: string
}

interface DiffJson<T> {
  remove_indexes: number[]
  insert_indexes: [number, T][]
}

/** The claims and proposals of a Savanna header. */
export interface FinalityExtensionJson {
  qc_claim: { block_num: number; is_strong_qc: boolean }
  new_finalizer_policy_diff?: {
    generation: number
    threshold: IntegerJson
    finalizers_diff: DiffJson<FinalizerAuthorityJson>
  }
  new_proposer_policy_diff?: {
    version: number
    proposal_time: string
    producer_auth_diff: DiffJson<ProducerAuthorityJson>
  }
}

interface QcSignatureJson {
  strong_votes?: string
  weak_votes?: string
  sig: string
}

/** A quorum certificate as JSON. */
export interface QuorumCertificateJson {
  block_num: number
  active_policy_sig: QcSignatureJson
  pending_policy_sig?: QcSignatureJson
}

/** In the form of answers: invalid UTF-8 is omitted. */
export function finalizerDescription({ description }: FinalizerAuthority): string {
  return printableUtf8(latin1ToBytes(description))
}

/** A finalizer of a policy as JSON: description, weight and BLS public key. */
export function finalizerAuthorityToJson(finalizer: FinalizerAuthority): FinalizerAuthorityJson {
  return {
    description: finalizerDescription(finalizer),
    weight: integerToJson(finalizer.weight),
    public_key: blsPublicKeyToString(finalizer.public_key),
  }
}

function diffToJson<T, J>(diff: OrderedDiff<T>, item: (value: T) => J): DiffJson<J> {
  return {
    remove_indexes: diff.remove_indexes,
    insert_indexes: diff.insert_indexes.map(([index, value]) => [index, item(value)]),
  }
}

/** JSON of the claims and proposals of a Savanna header; absent parts are omitted. */
export function finalityExtensionToJson(extension: FinalityExtension): FinalityExtensionJson {
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

function qcSignatureToJson(signature: QcSignature): QcSignatureJson {
  return {
    ...(signature.strong_votes && { strong_votes: bitsToText(signature.strong_votes) }),
    ...(signature.weak_votes && { weak_votes: bitsToText(signature.weak_votes) }),
    sig: blsSignatureToString(signature.sig),
  }
}

/** JSON of a quorum certificate. */
export function quorumCertificateToJson(qc: QuorumCertificate): QuorumCertificateJson {
  return {
    block_num: qc.block_num,
    active_policy_sig: qcSignatureToJson(qc.active_policy_sig),
    ...(qc.pending_policy_sig && { pending_policy_sig: qcSignatureToJson(qc.pending_policy_sig) }),
  }
}
