import assert from 'node:assert'
import { check } from '../errors.ts'
import { packSignedBlock } from '../protocol/block.ts'
import { makeBlockExtensions } from '../protocol/block_extension.ts'
import type { SignedBlock } from '../protocol/block.ts'
import { packOne } from '../protocol/writer.ts'
import { authorityKeys, blockSigDigest, verifySignee } from './block_signing.ts'
import { BlockState } from './block_state.ts'
import type { BlockSigner } from './chain_options.ts'
import type { ChainParts } from './chain_parts.ts'
import { commitBlock } from './commit_block.ts'
import { finishBlock } from './finish_block.ts'
import { finishHeaderState } from './finish_header.ts'
import type { HeaderState } from './block_header_state.ts'

/** Where the signature of a header is that has none yet; it is part of no digest. */
const NO_SIGNATURE = new Uint8Array(66)

/**
 * Finishes the pending block, signs it and makes it the head. On failure the pending block is
 * still there, to be aborted.
 * spring: libraries/chain/controller.cpp (assemble_and_complete_block, commit_block)
 */
export function produceBlock(chain: ChainParts, sign: BlockSigner): BlockState {
  const { pending } = chain
  check(
    pending,
    'block_validate_exception',
    'it is not valid to finalize when there is no pending block',
  )
  assert.equal(pending.status, 'incomplete', 'only a block that is being produced can be signed')
  const { header } = finishBlock(pending, chain.header_rules)
  const unsigned = finishHeaderState(
    pending.header_state,
    { ...header, producer_signature: NO_SIGNATURE },
    [],
    chain.header_rules,
  )
  const state = signHeader(unsigned, sign)
  verifySignee(state)
  const extra = state.additional_signatures
  check(
    extra.length === 0 ||
      chain.header_rules.weightedSignatures(chain.head.header_state.activated_protocol_features),
    'producer_schedule_exception',
    'Block was signed with multiple signatures before WTMsig block signatures are enabled',
  )
  const block: SignedBlock = {
    ...state.header,
    transactions: pending.receipts,
    block_extensions: makeBlockExtensions(
      extra.length === 0 ? {} : { additional_block_signatures: [...extra] },
    ),
  }
  const next = new BlockState(state, block, packOne(packSignedBlock, block))
  next.trx_metas = pending.trx_metas
  commitBlock(chain, next, 'incomplete')
  return next
}

/** The state with the signatures of its digest; the last one is the header's own. */
function signHeader(state: HeaderState, sign: BlockSigner): HeaderState {
  const keys = authorityKeys(state.valid_block_signing_authority)
  const signatures = sign(blockSigDigest(state), keys)
  const own = signatures.at(-1)
  check(own, 'no_block_signatures', 'Signer returned no signatures')
  return {
    ...state,
    header: { ...state.header, producer_signature: own },
    additional_signatures: signatures.slice(0, -1),
  }
}
