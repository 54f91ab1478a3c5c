import assert from 'node:assert'
import { check } from '../../errors.ts'
import type { BlockHeader, SignedBlock } from '../../protocol/block.ts'
import { extractHeaderExtensions, makeBlockExtensions } from '../../protocol/block_extension.ts'
import type { QuorumCertificate } from '../../protocol/finality.ts'
import type { HeaderState, PendingHeaderState } from '../headers/legacy/header_state.ts'
import { blockSigDigest, signFor } from '../headers/block_signing.ts'
import type { BlockSignatures } from '../headers/block_signing.ts'
import { BlockState } from '../headers/block_state.ts'
import type { HeaderStates } from '../headers/block_state.ts'
import type { BuildingBlock, SavannaStart } from './building_block.ts'
import type { LateBlockSigner } from '../headers/block_signing.ts'
import type { ChainParts } from './chain_parts.ts'
import { commitBlock } from './commit_block.ts'
import { bestCertificate } from '../voting/best_certificate.ts'
import { nextSavannaState } from '../headers/savanna/next_header_state.ts'
import { transitionState, transitionValid } from '../headers/savanna/transition.ts'
import { finalityRootClaim, nextValid } from '../headers/savanna/valid_structure.ts'
import { finishBlock } from './finish_block.ts'
import { finishHeaderState } from '../headers/legacy/finish_header.ts'

/** The placeholder for the signature of an unsigned header; it is part of no digest. */
const NO_SIGNATURE = new Uint8Array(66)

/**
 * Finishes the pending block, signs it and makes it the head. On failure the pending block is
 * still there, to be aborted.
 * spring: libraries/chain/controller.cpp (assemble_and_complete_block, commit_block)
 * @throws ChainError block_validate_exception without a pending block, or the reason why it cannot
 *   be finished
 */
export function produceBlock(chain: ChainParts, sign: LateBlockSigner): BlockState {
  const { pending } = chain
  check(
    pending,
    'block_validate_exception',
    'it is not valid to finalize when there is no pending block',
  )
  assert.equal(pending.status, 'incomplete', 'only a block that is being produced can be signed')
  const next = pending.legacy
    ? completeLegacy(chain, pending, pending.legacy, sign)
    : completeSavanna(chain, pending, pending.savanna!, sign)
  next.trx_metas = pending.trx_metas
  commitBlock(chain, next, 'incomplete')
  return next
}

function completeLegacy(
  chain: ChainParts,
  pending: BuildingBlock,
  header_state: PendingHeaderState,
  sign: LateBlockSigner,
): BlockState {
  const { parent } = pending
  const { header } = finishBlock(pending, chain.header_rules)
  const unsigned = finishHeaderState(
    header_state,
    { ...header, producer_signature: NO_SIGNATURE },
    [],
    chain.header_rules,
  )
  const authority = unsigned.valid_block_signing_authority
  const signatures = signFor(authority, blockSigDigest(unsigned), sign)()
  const { producer_signature, additional_signatures } = signatures
  check(
    additional_signatures.length === 0 ||
      chain.header_rules.weightedSignatures(parent.activated_protocol_features),
    'producer_schedule_exception',
    'Block was signed with multiple signatures before WTMsig block signatures are enabled',
  )
  const legacy: HeaderState = {
    ...unsigned,
    header: { ...unsigned.header, producer_signature },
    additional_signatures,
  }
  const savanna = transitionState(parent, legacy)
  const next = makeState(pending, { legacy, savanna }, header, () => signatures)
  if (savanna !== undefined) {
    next.action_mroot = pending.savannaActionRoot()
    next.valid = transitionValid(parent, savanna, next.action_mroot)
  }
  return next
}

function completeSavanna(
  chain: ChainParts,
  pending: BuildingBlock,
  { producer }: SavannaStart,
  sign: LateBlockSigner,
): BlockState {
  const { parent } = pending
  const { savanna_state: state, valid_structure: valid } = parent
  const { qc_claim, qc } = bestCertificate(chain.forks, parent)
  const finality_mroot = finalityRootClaim(state, valid, qc_claim)
  const { id, header } = finishBlock(pending, chain.header_rules, {
    finality: { qc_claim, finality_mroot },
  })
  const { finality_extension } = extractHeaderExtensions(header.header_extensions)
  const extensions = { finality: finality_extension!, features: pending.new_features }
  const savanna = nextSavannaState(state, header, extensions, id)
  const signatures = signFor(producer.authority, savanna.id, sign)
  const next = makeState(pending, { savanna }, header, signatures, qc)
  next.action_mroot = pending.savannaActionRoot()
  next.valid = nextValid(state, valid, savanna, next.action_mroot)
  return next
}

/** The block with its state. Its signatures are waited for when they are needed. */
function makeState(
  { receipts: transactions }: BuildingBlock,
  states: HeaderStates,
  header: BlockHeader,
  signatures: () => BlockSignatures,
  quorum_certificate?: QuorumCertificate,
): BlockState {
  const sign = (): SignedBlock => {
    const { producer_signature, additional_signatures } = signatures()
    const block_extensions = makeBlockExtensions({
      additional_block_signatures:
        additional_signatures.length > 0 ? additional_signatures : undefined,
      quorum_certificate,
    })
    return signedBlock(header, { producer_signature, transactions, block_extensions })
  }
  return new BlockState(states, { transactions, quorum_certificate, sign })
}

/** Each field is named: to spread the header into the block takes longer than to pack it. */
function signedBlock(
  header: BlockHeader,
  { producer_signature, transactions, block_extensions }: Omit<SignedBlock, keyof BlockHeader>,
): SignedBlock {
  const block: SignedBlock = {
    timestamp: header.timestamp,
    producer: header.producer,
    confirmed: header.confirmed,
    previous: header.previous,
    transaction_mroot: header.transaction_mroot,
    action_mroot: header.action_mroot,
    schedule_version: header.schedule_version,
    header_extensions: header.header_extensions,
    producer_signature,
    transactions,
    block_extensions,
  }
  if (header.new_producers !== undefined) block.new_producers = header.new_producers
  return block
}
