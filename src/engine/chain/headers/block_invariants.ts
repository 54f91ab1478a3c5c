/**
 * Checks of a block by its kind (legacy, of the transition to Savanna, or proper Savanna): required
 * and forbidden extensions, and that its claim of a certificate does not precede the claim of the
 * parent.
 * spring: libraries/chain/controller.cpp (verify_basic_block_invariants and below)
 */
import { check, rethrowAs } from '../../errors.ts'
import type { SignedBlock } from '../../protocol/block.ts'
import { blockNumOf } from '../../protocol/block.ts'
import { extractHeaderExtensions } from '../../protocol/block_extension.ts'
import type {
  BlockExtensions,
  FinalityExtension,
  HeaderExtensions,
} from '../../protocol/block_extension.ts'
import type { QcClaim, QuorumCertificate } from '../../protocol/finality.ts'
import { bytesEqual, toHex } from '../../protocol/hex.ts'
import type { BlockState } from './block_state.ts'
import { NO_FINALIZERS, applyFinalizerDiff } from './savanna/policies.ts'
import { claimOf } from './savanna/quorum_certificate.ts'
import { isProperSavanna } from './savanna/header_state.ts'
import { finalityRootClaim } from './savanna/valid_structure.ts'

/** A block with its extensions read. */
export interface OpenedBlock {
  block: SignedBlock
  header_extensions: HeaderExtensions
  block_extensions: BlockExtensions
}

/**
 * Checks a block against its parent. Returns the certificate that must be verified.
 * @throws ChainError block_validate_exception, or the reason to refuse an extension
 */
export function checkBlockInvariants(
  prev: BlockState,
  opened: OpenedBlock,
): QuorumCertificate | undefined {
  if (isProperSavanna(opened.block)) return checkProper(prev, opened)
  const { quorum_certificate } = opened.block_extensions
  const { finality_extension } = opened.header_extensions
  const num = blockNumOf(opened.block)
  const kind = finality_extension === undefined ? 'Legacy' : 'Transition'
  check(
    quorum_certificate === undefined,
    'block_validate_exception',
    `${kind} block #${num} includes a QC block extension`,
  )
  if (finality_extension === undefined) checkLegacy(prev, num)
  else checkTransition(prev, num, finality_extension)
  return undefined
}

function checkLegacy(prev: BlockState, num: number): void {
  check(
    prev.savanna === undefined,
    'block_validate_exception',
    `Legacy block #${num} must have previous block that is also a Legacy block`,
  )
}

function checkTransition(prev: BlockState, num: number, extension: FinalityExtension): void {
  const { qc_claim, new_finalizer_policy_diff: diff, new_proposer_policy_diff } = extension
  check(
    !prev.is_proper_savanna,
    'block_validate_exception',
    `Transition block #${num} may not have previous block that is a Proper Savanna block`,
  )
  check(
    new_proposer_policy_diff === undefined,
    'block_validate_exception',
    `Transition block #${num} has new_proposer_policy_diff`,
  )
  if (prev.savanna !== undefined) {
    const prev_claim = claimOfHeader(prev)
    check(
      sameClaim(qc_claim, prev_claim),
      'invalid_qc_claim',
      () =>
        `Non Genesis Transition block #${num} QC claim ${claimText(qc_claim)} ` +
        `not equal to previous QC claim ${claimText(prev_claim)}`,
    )
    check(
      diff === undefined,
      'block_validate_exception',
      `Non Genesis Transition block #${num} finality block header extension may not have ` +
        'new_finalizer_policy_diff',
    )
    return
  }
  check(
    sameClaim(qc_claim, { block_num: num, is_strong_qc: false }),
    'invalid_qc_claim',
    () => `Savanna Genesis block #${num} has invalid QC claim ${claimText(qc_claim)}`,
  )
  check(
    diff,
    'block_validate_exception',
    `Savanna Genesis block #${num} finality block header extension misses new_finalizer_policy_diff`,
  )
  rethrowAs('block_validate_exception', 'applying diff of Savanna Genesis Block', () => {
    const { generation } = applyFinalizerDiff(NO_FINALIZERS, diff)
    check(
      generation === 1,
      'block_validate_exception',
      `Savanna Genesis block #${num} finalizer policy generation (${generation}) not 1`,
    )
  })
}

function checkProper(prev: BlockState, opened: OpenedBlock): QuorumCertificate | undefined {
  const { block, header_extensions, block_extensions } = opened
  const num = blockNumOf(block)
  const { finality_extension } = header_extensions
  check(
    finality_extension,
    'block_validate_exception',
    `Proper Savanna block #${num} does not have a finality header extension`,
  )
  check(
    prev.savanna !== undefined,
    'block_validate_exception',
    `Proper Savanna block #${num} may not have previous block that is a Legacy block`,
  )
  const { qc_claim } = finality_extension
  const { quorum_certificate: qc } = block_extensions
  const made = checkProgress(claimOfHeader(prev), qc_claim, prev.block_num, num)
  if (!made) {
    check(
      qc === undefined,
      'invalid_qc_claim',
      `Block #${num} should not provide a QC block extension since its QC claim is the same as ` +
        "the previous block's",
    )
    return undefined
  }
  check(
    qc,
    'block_validate_exception',
    `Block #${num} is making a new finality claim, but doesn't include a qc to justify this claim`,
  )
  checkCertificateMatches(qc, qc_claim, num)
  checkFinalityRoot(prev, block, qc_claim)
  return qc
}

/**
 * Whether a claim is later than that of the parent.
 * @throws ChainError if it is earlier
 */
function checkProgress(prev: QcClaim, claim: QcClaim, prev_num: number, num: number): boolean {
  check(
    claim.block_num >= prev.block_num,
    'invalid_qc_claim',
    `Block #${num} claims a block_num (${claim.block_num}) less than ` +
      `the previous block's (${prev.block_num})`,
  )
  check(
    claim.block_num <= prev_num,
    'invalid_qc_claim',
    `Block #${num} claims a block_num (${claim.block_num}) that is greater than ` +
      `the previous block number (${prev_num})`,
  )
  if (claim.block_num > prev.block_num) return true
  if (claim.is_strong_qc === prev.is_strong_qc) return false
  check(
    claim.is_strong_qc,
    'invalid_qc_claim',
    `claimed QC (${claim.is_strong_qc}) must be stricter than previous block's ` +
      `(${prev.is_strong_qc}) if block number is the same. Block number: ${num}`,
  )
  return true
}

function checkCertificateMatches(qc: QuorumCertificate, claim: QcClaim, num: number): void {
  check(
    qc.block_num === claim.block_num,
    'block_validate_exception',
    `Block #${num}: Mismatch between qc.block_num (${qc.block_num}) in block extension and ` +
      `block_num (${claim.block_num}) in header extension`,
  )
  const { is_strong_qc } = claimOf(qc)
  check(
    is_strong_qc === claim.is_strong_qc,
    'block_validate_exception',
    `QC is_strong (${is_strong_qc}) in block extension does not match is_strong_qc ` +
      `(${claim.is_strong_qc}) in header extension. Block number: ${num}`,
  )
}

/** If the parent was executed, the root that a new claim implies is known. */
function checkFinalityRoot(prev: BlockState, block: SignedBlock, claim: QcClaim): void {
  if (prev.valid === undefined) return
  const computed = finalityRootClaim(prev.savanna_state, prev.valid, claim)
  check(
    bytesEqual(computed, block.action_mroot),
    'block_validate_exception',
    () =>
      `computed finality mroot (${toHex(computed)}) does not match supplied finality mroot ` +
      `${toHex(block.action_mroot)} by header extension. Block number: ${blockNumOf(block)}`,
  )
}

/** The claim in a header that is known to make one. */
function claimOfHeader(state: BlockState): QcClaim {
  const { finality_extension } = extractHeaderExtensions(state.header.header_extensions)
  check(finality_extension, 'block_validate_exception', 'a header without a finality extension')
  return finality_extension.qc_claim
}

function sameClaim(a: QcClaim, b: QcClaim): boolean {
  return a.block_num === b.block_num && a.is_strong_qc === b.is_strong_qc
}

function claimText({ block_num, is_strong_qc }: QcClaim): string {
  return `{"block_num":${block_num},"is_strong_qc":${is_strong_qc}}`
}
