import type { Body } from '../contract.ts'
import { hashFromJson } from '../abi/hex_bytes.ts'
import { parseUint64 } from '../abi/lenient_json.ts'
import { blockId } from '../crypto/digests.ts'
import { ChainError, check, fail, rethrowAs } from '../errors.ts'
import { blockNumOf } from '../protocol/block.ts'
import type { SignedBlock } from '../protocol/block.ts'
import { extractBlockExtensions } from '../protocol/block_extension.ts'
import { signatureToString } from '../protocol/key.ts'
import { toHex } from '../protocol/hex.ts'
import { refBlockOf } from '../protocol/transaction.ts'
import type { BlockJson } from '../json/block.ts'
import {
  blockToJson,
  extensionsToJson,
  headerFieldsToJson,
  rawBlockToJson,
  signedHeaderToJson,
} from '../json/block.ts'
import { abiResolver } from './contract_abi.ts'
import { parseParams } from './params.ts'
import type { BlockSigningAuthorityJson, ProducerAuthorityScheduleJson } from '../json/protocol.ts'
import type { StateChain, QueryOptions } from './query.ts'
import { defaultOptions } from './query.ts'

function blockNumber(text: string): bigint | undefined {
  try {
    return parseUint64(text)
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/** The block with this number or id in text form; undefined if there is none. */
function findBlock(chain: StateChain, text: string): SignedBlock | undefined {
  const number = blockNumber(text)
  // The reference uses the low 32 bits, and so answers another block.
  if (number !== undefined) {
    return number > 0xffffffffn ? undefined : chain.blockByNumber(Number(number))
  }
  return rethrowAs('block_id_type_exception', `Invalid block ID: ${text}`, () =>
    chain.blockById(hashFromJson(text, 32)),
  )
}

function checkBlockText(text: string): void {
  check(
    text.length > 0 && text.length <= 64,
    'block_id_type_exception',
    'Invalid Block number or ID, must be greater than 0 and less than 65 characters',
  )
}

function unknownBlock(what: string, text: string | number): never {
  return fail('unknown_block_exception', `Could not find ${what}: ${text}`)
}

function requestedBlock(
  chain: StateChain,
  params: Body<'get_block' | 'get_raw_block'>,
): SignedBlock {
  const text = parseParams(params, (p) => p.string('block_num_or_id'))
  checkBlockText(text)
  return findBlock(chain, text) ?? unknownBlock('block', text)
}

/** `{block_num_or_id}` -> the block with transactions and extensions decoded. */
export function getBlock(
  chain: StateChain,
  params: Body<'get_block'>,
  options: QueryOptions = defaultOptions(),
): BlockJson {
  const block = requestedBlock(chain, params)
  return blockToJson(block, {
    resolve: abiResolver(chain),
    options,
  })
}

/** `{block_num_or_id}` -> the packed block. */
export function getRawBlock(chain: StateChain, params: Body<'get_raw_block'>) {
  return rawBlockToJson(requestedBlock(chain, params))
}

/**
 * `{block_num_or_id, include_extensions?}` -> `{id, signed_block_header, block_extensions?}`.
 * @throws ChainError unknown_block_exception, or an invalid parameter
 */
export function getBlockHeader(chain: StateChain, params: Body<'get_block_header'>) {
  const { text, include_extensions } = parseParams(params, (p) => ({
    text: p.string('block_num_or_id'),
    include_extensions: p.bool('include_extensions'),
  }))
  checkBlockText(text)
  const block = findBlock(chain, text) ?? unknownBlock('block header', text)
  return {
    id: toHex(blockId(block)),
    signed_block_header: signedHeaderToJson(block),
    ...(include_extensions && { block_extensions: extensionsToJson(block.block_extensions) }),
  }
}

/**
 * `{block_num}` -> the fixed-size part of a block.
 * @throws ChainError unknown_block_exception, or an invalid parameter
 */
export function getBlockInfo(chain: StateChain, params: Body<'get_block_info'>) {
  const block_num = parseParams(params, (p) => p.uint32('block_num', 0))
  const block = chain.blockByNumber(block_num) ?? unknownBlock('block', block_num)
  const id = blockId(block)
  return {
    block_num: blockNumOf(block),
    ref_block_num: blockNumOf(block) & 0xffff,
    id: toHex(id),
    ...headerFieldsToJson(block),
    producer_signature: signatureToString(block.producer_signature),
    ref_block_prefix: refBlockOf(id).ref_block_prefix,
  }
}

const NO_AUTHORITY: BlockSigningAuthorityJson = [0, { threshold: 0, keys: [] }]

/**
 * `{block_num_or_id}` -> id and header of a block in the form of the legacy header state. Only the
 * data in the block itself is filled in, as in the reference.
 * @throws ChainError unknown_block_exception, or an invalid parameter
 */
export function getBlockHeaderState(chain: StateChain, params: Body<'get_block_header_state'>) {
  const text = parseParams(params, (p) => p.string('block_num_or_id'))
  // Without a block the reference looks for one with an all-zero id.
  const block = (text === '' ? undefined : findBlock(chain, text)) ?? unknownBlock('block', text)
  const { additional_block_signatures } = extractBlockExtensions(block.block_extensions)
  const no_schedule = (): ProducerAuthorityScheduleJson => ({ version: 0, producers: [] })
  return {
    block_num: blockNumOf(block),
    dpos_proposed_irreversible_blocknum: 0,
    dpos_irreversible_blocknum: 0,
    active_schedule: no_schedule(),
    blockroot_merkle: { _active_nodes: [], _node_count: 0 },
    producer_to_last_produced: [],
    producer_to_last_implied_irb: [],
    valid_block_signing_authority: NO_AUTHORITY,
    confirm_count: [],
    id: toHex(blockId(block)),
    header: signedHeaderToJson(block),
    pending_schedule: {
      schedule_lib_num: 0,
      schedule_hash: '0'.repeat(64),
      schedule: no_schedule(),
    },
    activated_protocol_features: null,
    additional_signatures: (additional_block_signatures ?? []).map(signatureToString),
  }
}
