/**
 * What can be said about a signed block from its predecessor's header state alone, without
 * executing it.
 * spring: libraries/chain/controller.cpp (create_block_state_i, verify_legacy_block_invariants)
 */
import { check, fail } from '../errors.ts'
import { blockId, transactionReceiptDigest } from '../crypto/digests.ts'
import { legacyMerkle } from '../crypto/merkle.ts'
import type { BlockHeader, SignedBlock, TransactionReceipt } from '../protocol/block.ts'
import { bytesEqual, toHex } from '../protocol/hex.ts'
import { FINALITY_EXTENSION_ID, extractBlockExtensions } from '../protocol/block_extension.ts'
import { nextHeaderState } from './block_header_state.ts'
import type { HeaderState } from './block_header_state.ts'
import { verifySignee } from './block_signing.ts'
import { BlockState } from './block_state.ts'
import type { ChainParts } from './chain_parts.ts'
import { finishHeaderState } from './finish_header.ts'
import type { HeaderRules } from './finish_header.ts'

/** Schedule version that marks a block of Savanna. spring: proper_svnn_schedule_version */
const PROPER_SAVANNA = 0x8000_0000

/** The state of a block that is new here, checked but for its execution; undefined when the block
 *  is known already. Throws why it is refused. */
export function validateBlock(
  chain: ChainParts,
  block: SignedBlock,
  packed: Uint8Array,
): BlockState | undefined {
  const id = blockId(block)
  if (chain.forks.get(id) !== undefined) return undefined
  const prev = chain.forks.get(block.previous)
  check(
    prev,
    'unlinkable_block_exception',
    () => `unlinkable block ${toHex(id)} previous ${toHex(block.previous)}`,
  )
  const mroot = legacyMerkle(block.transactions.map(transactionReceiptDigest))
  const next = nextBlockState(prev.header_state, block, packed, chain.header_rules)
  check(
    bytesEqual(block.transaction_mroot, mroot),
    'block_validate_exception',
    () =>
      `invalid block transaction merkle root ${toHex(block.transaction_mroot)} != ${toHex(mroot)}`,
  )
  verifySignee(next.header_state)
  return next
}

/** The state of a block on top of `prev`; who signed it is not checked. */
export function nextBlockState(
  prev: HeaderState,
  block: SignedBlock,
  packed: Uint8Array,
  rules: HeaderRules,
): BlockState {
  const extensions = extractBlockExtensions(block.block_extensions)
  const num = prev.block_num + 1
  const finality = block.header_extensions.some(([id]) => id === FINALITY_EXTENSION_ID)
  if (finality || block.schedule_version === PROPER_SAVANNA) {
    fail(
      'unsupported_feature',
      `block ${num} is part of Savanna (instant finality) or of the transition to it, ` +
        'which this version does not follow yet',
    )
  }
  check(
    extensions.quorum_certificate === undefined,
    'block_validate_exception',
    `Legacy block #${num} includes a QC block extension`,
  )
  const pending = nextHeaderState(prev, block.timestamp, block.confirmed)
  const signatures = extensions.additional_block_signatures ?? []
  const state = finishHeaderState(pending, block, signatures, rules)
  return new BlockState(state, block, packed)
}

/** What differs between the header that was expected and the one that came out; for messages. */
export function headerDifference(expected: BlockHeader, made: BlockHeader): string {
  const differences: string[] = []
  for (const field of HEADER_FIELDS) {
    const a = fieldText(expected[field])
    const b = fieldText(made[field])
    if (a !== b) differences.push(`${field}: ${a} != ${b}`)
  }
  return differences.join('; ')
}

const HEADER_FIELDS = [
  'timestamp',
  'producer',
  'confirmed',
  'previous',
  'transaction_mroot',
  'action_mroot',
  'schedule_version',
  'new_producers',
  'header_extensions',
] as const

function fieldText(value: BlockHeader[(typeof HEADER_FIELDS)[number]]): string {
  return JSON.stringify(
    value ?? null,
    function (this: Record<string, unknown>, key, item: unknown) {
      // A Buffer has made itself an object before it comes here.
      const raw = this[key]
      if (raw instanceof Uint8Array) return toHex(raw)
      return typeof item === 'bigint' ? item.toString() : item
    },
  )
}

/** What a receipt says, for messages. */
export function receiptText(receipt: TransactionReceipt): string {
  const { status, cpu_usage_us, net_usage_words } = receipt
  return JSON.stringify({ status, cpu_usage_us, net_usage_words })
}
