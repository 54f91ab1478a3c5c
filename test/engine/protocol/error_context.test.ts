import { expect } from 'chai'
import { ChainError } from '../../../src/engine/errors.ts'
import { MAX_ARRAY_ELEMENTS } from '../../../src/engine/protocol/constants.ts'
import { Reader } from '../../../src/engine/protocol/reader.ts'
import type { ContextReader } from '../../../src/engine/protocol/error_context.ts'
import {
  CHAIN_CONFIG_V0,
  FINALIZER_POLICY,
  NATIVE_ACTIONS,
  PUBLIC_KEY,
  parameter,
  parameters,
  readWithContext,
} from '../../../src/engine/protocol/error_context.ts'
import { Writer } from '../../../src/engine/protocol/writer.ts'

function storyOf(story: ContextReader, bytes: Uint8Array): string[] {
  try {
    readWithContext(story, bytes, story)
  } catch (error) {
    if (error instanceof ChainError) return error.details.map(({ message }) => message)
    throw error
  }
  return []
}

function packedNumber(n: number): Uint8Array {
  const writer = new Writer()
  writer.varuint32(n)
  return writer.bytes()
}

describe('the story of a value that cannot be unpacked', () => {
  it('names each field and type on the way, and the type of all once more', () => {
    expect(storyOf(NATIVE_ACTIONS.deleteauth, new Uint8Array(12))).to.deep.equal([
      'read datastream of length 12 over by -3',
      'error unpacking uint64_t',
      'Error unpacking field value',
      'error unpacking eosio::chain::name',
      'Error unpacking field permission',
      'error unpacking eosio::chain::deleteauth',
      'error unpacking eosio::chain::deleteauth',
    ])
  })

  it('goes through lists, choices and arrays of bytes', () => {
    const bytes = Uint8Array.of(...new Uint8Array(28), 1, 0, 2)
    expect(storyOf(NATIVE_ACTIONS.updateauth, bytes).slice(1)).to.deep.equal([
      'fc::array<char,33>',
      'Error unpacking field _data',
      'error unpacking fc::ecc::public_key_shim',
      'Error unpacking field _storage',
      'error unpacking fc::crypto::public_key',
      'Error unpacking field key',
      'error unpacking eosio::chain::key_weight',
      'Error unpacking field keys',
      'error unpacking eosio::chain::authority',
      'Error unpacking field auth',
      'error unpacking eosio::chain::updateauth',
      'error unpacking eosio::chain::updateauth',
    ])
  })

  it('says which choice there is not', () => {
    expect(storyOf(PUBLIC_KEY, Uint8Array.of(3))).to.deep.equal([
      'Provided index out of range for variant.',
      'Error unpacking field _storage',
      'error unpacking fc::crypto::public_key',
    ])
  })

  it('names the parameter that is too short', () => {
    const short = (id: number): string[] =>
      storyOf(parameters(parameter(id, (r) => r.u32())), new Uint8Array(1)).slice(1)
    const type = (kind: string, version: number): string =>
      `error unpacking St7variantIJN5eosio5chain10data_${kind}INS1_15chain_config_v${version}ENS1_22config_entry_validatorEEEEE`
    expect(short(2)).to.deep.equal([
      'error unpacking uint32_t',
      type('entry', 0),
      type('entry', 1),
      type('range', 1),
    ])
    expect(short(17)).to.deep.equal([
      'error unpacking uint32_t',
      type('entry', 1),
      type('range', 1),
    ])
    expect(storyOf(CHAIN_CONFIG_V0, new Uint8Array(67)).slice(1)).to.deep.equal([
      'error unpacking uint16_t',
      'Error unpacking field max_authority_depth',
      'error unpacking eosio::chain::chain_config_v0',
    ])
  })

  it('fails at the first number that is missing of a list of bytes', () => {
    const bytes = Uint8Array.of(...new Uint8Array(8), 1, 0, ...new Uint8Array(8), 96, 7)
    expect(storyOf(FINALIZER_POLICY, bytes).slice(0, 3)).to.deep.equal([
      'read datastream of length 20 over by 1',
      'error unpacking uint8_t',
      'Error unpacking field public_key',
    ])
  })

  it('is never thrown for a complete value', () => {
    expect(storyOf(NATIVE_ACTIONS.deleteauth, new Uint8Array(16))).to.deep.equal([])
  })
})

describe('bytes that are missing', () => {
  const failure = (read: (r: Reader) => unknown, bytes: Uint8Array): string | undefined =>
    storyOf((r) => void read(r), bytes)[0]

  it('are read, or got when their number is not known before', () => {
    expect(failure((r) => r.u8(), new Uint8Array())).to.equal(
      'read datastream of length 0 over by 1',
    )
    expect(failure((r) => r.varuint32(), Uint8Array.of(0x80))).to.equal(
      'get datastream of length 1 over by 1',
    )
  })

  it('of a list are not asked for when they are too many', () => {
    const list = (r: Reader): Uint8Array => r.byteList()
    expect(failure(list, packedNumber(MAX_ARRAY_ELEMENTS))).to.equal(
      'read datastream of length 3 over by 1',
    )
    expect(failure(list, packedNumber(MAX_ARRAY_ELEMENTS + 1))).to.equal(
      'size.value <= MAX_NUM_ARRAY_ELEMENTS: ',
    )
  })
})
