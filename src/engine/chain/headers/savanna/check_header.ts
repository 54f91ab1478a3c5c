/**
 * Whether a header may follow a Savanna state.
 * spring: libraries/chain/block_header_state.cpp (next, from a signed header)
 */
import { check } from '../../../errors.ts'
import type { BlockHeader } from '../../../protocol/block.ts'
import type { HeaderExtensions } from '../../../protocol/block_extension.ts'
import { bytesEqual, toHex } from '../../../protocol/hex.ts'
import type { HeaderRules } from '../legacy/finish_header.ts'
import { isGenesisBlockNum, nextCoreMetadata } from './finality_core.ts'
import type { SavannaExtensions } from './next_header_state.ts'
import type { SavannaHeaderState } from './header_state.ts'
import { producerAt } from './header_state.ts'

const NO_DIGEST = new Uint8Array(32)

/**
 * Checks the header of a proper Savanna block whose claim was checked. Returns its extensions.
 * @throws ChainError the reason to refuse the header
 */
export function checkSavannaHeader(
  prev: SavannaHeaderState,
  header: BlockHeader,
  extensions: HeaderExtensions,
  rules: HeaderRules,
): SavannaExtensions {
  const { producer_name } = producerAt(prev, header.timestamp)
  check(
    bytesEqual(header.previous, prev.id),
    'unlinkable_block_exception',
    () => `previous mismatch ${toHex(header.previous)} != ${toHex(prev.id)}`,
  )
  check(header.producer === producer_name, 'wrong_producer', 'wrong producer specified')
  check(
    header.new_producers === undefined,
    'producer_schedule_exception',
    'Block header contains legacy producer schedule outdated by activation of WTMsig Block Signatures',
  )
  const { protocol_feature_activation: features = [], finality_extension: finality } = extensions
  if (features.length > 0) {
    rules.checkFeatures(prev.header.timestamp, prev.activated_protocol_features, features)
  }
  check(
    finality,
    'invalid_block_header_extension',
    'Instant Finality Extension is expected to be present in all block headers after switch to IF',
  )
  const claimed = nextCoreMetadata(prev.core, finality.qc_claim).latest_qc_claim_block_num
  const no_tree = isGenesisBlockNum(prev.core, claimed)
  const empty = bytesEqual(header.action_mroot, NO_DIGEST)
  check(
    no_tree === empty,
    'block_validate_exception',
    'No Finality Tree Root associated with the block, does not match with empty action_mroot: ' +
      `(${no_tree}), action_mroot empty (${empty}), latest_qc_claim_block_num (${claimed})`,
  )
  return { finality, features }
}
