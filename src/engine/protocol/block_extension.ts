/**
 * The extensions of headers and blocks.
 * spring: libraries/chain/{block_header,block,protocol_feature_activation}.cpp
 */
import { check } from '../errors.ts'
import type { ErrorName } from '../errors.ts'
import type { Extension } from './extension.ts'
import { extractExtensions } from './extension.ts'
import type {
  FinalizerPolicyDiff,
  ProposerPolicyDiff,
  QcClaim,
  QuorumCertificate,
} from './finality.ts'
import {
  packFinalizerPolicyDiff,
  packProposerPolicyDiff,
  packQcClaim,
  packQuorumCertificate,
  unpackFinalizerPolicyDiff,
  unpackProposerPolicyDiff,
  unpackQcClaim,
  unpackQuorumCertificate,
} from './finality.ts'
import { toHex } from './hex.ts'
import { readSignature, signatureToString, writeSignature } from './key.ts'
import type { Reader } from './reader.ts'
import type { ProducerAuthoritySchedule } from './schedule.ts'
import { packProducerAuthoritySchedule, unpackProducerAuthoritySchedule } from './schedule.ts'
import type { Writer } from './writer.ts'
import { packOne } from './writer.ts'

/** Type ids of header extensions. */
export const PROTOCOL_FEATURE_ACTIVATION_ID = 0
/** Type id of the header extension with a new producer schedule. */
export const PRODUCER_SCHEDULE_CHANGE_ID = 1
/** Type id of the header extension of Savanna. */
export const FINALITY_EXTENSION_ID = 2

/** Type ids of block extensions. */
export const ADDITIONAL_BLOCK_SIGNATURES_ID = 2
/** Type id of the block extension with a quorum certificate. */
export const QUORUM_CERTIFICATE_ID = 3

/** The finality extension of a block header. */
export interface FinalityExtension {
  qc_claim: QcClaim
  new_finalizer_policy_diff?: FinalizerPolicyDiff
  new_proposer_policy_diff?: ProposerPolicyDiff
}

/** Contents of a header's extensions. */
export interface HeaderExtensions {
  /** Digests of the protocol features that this block activates. */
  protocol_feature_activation?: Uint8Array[] | undefined
  producer_schedule_change?: ProducerAuthoritySchedule | undefined
  finality_extension?: FinalityExtension | undefined
}

/** Contents of a block's extensions. */
export interface BlockExtensions {
  additional_block_signatures?: Uint8Array[] | undefined
  quorum_certificate?: QuorumCertificate | undefined
}

/** Refuses an empty list (`empty`) and repeated items (`repeated`). */
function checkUnique(
  items: readonly Uint8Array[],
  error: ErrorName,
  empty: string,
  repeated: (item: Uint8Array) => string,
): void {
  check(items.length > 0, error, empty)
  const seen = new Set<string>()
  for (const item of items) {
    const key = toHex(item)
    check(!seen.has(key), error, () => repeated(item))
    seen.add(key)
  }
}

function unpackFeatureActivation(r: Reader): Uint8Array[] {
  const digests = r.array((r) => r.checksum256())
  checkUnique(
    digests,
    'ill_formed_protocol_feature_activation',
    'Protocol feature activation extension must have at least one protocol feature digest',
    (d) =>
      `Protocol feature digest ${toHex(d)} was repeated in the protocol feature activation extension`,
  )
  return digests
}

/** Writes the finality extension of a block header in the wire format. */
export function packFinalityExtension(w: Writer, extension: FinalityExtension): void {
  packQcClaim(w, extension.qc_claim)
  w.optional(extension.new_finalizer_policy_diff, packFinalizerPolicyDiff)
  w.optional(extension.new_proposer_policy_diff, packProposerPolicyDiff)
}

/** Reads the finality extension of a block header in the wire format. */
export function unpackFinalityExtension(r: Reader): FinalityExtension {
  const qc_claim = unpackQcClaim(r)
  const finalizers = r.optional(unpackFinalizerPolicyDiff)
  const proposers = r.optional(unpackProposerPolicyDiff)
  return {
    qc_claim,
    ...(finalizers && { new_finalizer_policy_diff: finalizers }),
    ...(proposers && { new_proposer_policy_diff: proposers }),
  }
}

function unpackAdditionalSignatures(r: Reader): Uint8Array[] {
  const signatures = r.array(readSignature)
  checkUnique(
    signatures,
    'ill_formed_additional_block_signatures_extension',
    'Additional block signatures extension must contain at least one signature',
    (s) =>
      `Signature ${signatureToString(s)} was repeated in the additional block signatures extension`,
  )
  return signatures
}

const HEADER_READERS = {
  [PROTOCOL_FEATURE_ACTIVATION_ID]: unpackFeatureActivation,
  [PRODUCER_SCHEDULE_CHANGE_ID]: unpackProducerAuthoritySchedule,
  [FINALITY_EXTENSION_ID]: unpackFinalityExtension,
}

/**
 * Checks and reads header extensions.
 * @throws ChainError `invalid_block_header_extension`, and errors of ill-formed extensions
 */
export function extractHeaderExtensions(extensions: readonly Extension[]): HeaderExtensions {
  if (extensions.length === 0) return {}
  const found = extractExtensions(extensions, {
    label: 'Block header extension',
    error: 'invalid_block_header_extension',
    readers: HEADER_READERS,
  })
  const out: Record<string, unknown> = {}
  const names = ['protocol_feature_activation', 'producer_schedule_change', 'finality_extension']
  for (const [id, content] of found) out[names[id] as string] = content
  return out as HeaderExtensions
}

/**
 * Checks and reads block extensions.
 * @throws ChainError `invalid_block_extension`, and errors of ill-formed extensions
 */
export function extractBlockExtensions(extensions: readonly Extension[]): BlockExtensions {
  if (extensions.length === 0) return {}
  const found = extractExtensions(extensions, {
    label: 'Block extension',
    error: 'invalid_block_extension',
    repeatError: 'invalid_block_header_extension',
    readers: {
      [ADDITIONAL_BLOCK_SIGNATURES_ID]: unpackAdditionalSignatures,
      [QUORUM_CERTIFICATE_ID]: unpackQuorumCertificate,
    },
  })
  const out: Record<string, unknown> = {}
  const signatures = found.get(ADDITIONAL_BLOCK_SIGNATURES_ID)
  const qc = found.get(QUORUM_CERTIFICATE_ID)
  if (signatures !== undefined) out.additional_block_signatures = signatures
  if (qc !== undefined) out.quorum_certificate = qc
  return out as BlockExtensions
}

/** Header extensions as a header carries them. */
export function makeHeaderExtensions(content: HeaderExtensions): Extension[] {
  const out: Extension[] = []
  const { protocol_feature_activation, producer_schedule_change, finality_extension } = content
  if (protocol_feature_activation !== undefined) {
    const bytes = packOne(
      (w, digests) => w.array(digests, (w, d) => w.raw(d)),
      protocol_feature_activation,
    )
    out.push([PROTOCOL_FEATURE_ACTIVATION_ID, bytes])
  }
  if (producer_schedule_change !== undefined) {
    const bytes = packOne(packProducerAuthoritySchedule, producer_schedule_change)
    out.push([PRODUCER_SCHEDULE_CHANGE_ID, bytes])
  }
  if (finality_extension !== undefined) {
    out.push([FINALITY_EXTENSION_ID, packOne(packFinalityExtension, finality_extension)])
  }
  return out
}

/** Block extensions as a block carries them. */
export function makeBlockExtensions(content: BlockExtensions): Extension[] {
  const out: Extension[] = []
  const { additional_block_signatures, quorum_certificate } = content
  if (additional_block_signatures !== undefined) {
    const bytes = packOne((w, list) => w.array(list, writeSignature), additional_block_signatures)
    out.push([ADDITIONAL_BLOCK_SIGNATURES_ID, bytes])
  }
  if (quorum_certificate !== undefined) {
    out.push([QUORUM_CERTIFICATE_ID, packOne(packQuorumCertificate, quorum_certificate)])
  }
  return out
}
