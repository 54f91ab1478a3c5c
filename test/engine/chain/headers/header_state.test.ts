import { expect } from 'chai'
import { blockId } from '../../../../src/engine/crypto/digests.ts'
import { ChainError } from '../../../../src/engine/errors.ts'
import type { ErrorName } from '../../../../src/engine/errors.ts'
import type { SignedBlock } from '../../../../src/engine/protocol/block.ts'
import { FINALITY_EXTENSION_ID } from '../../../../src/engine/protocol/block_extension.ts'
import type { BuiltinFeatureName } from '../../../../src/engine/protocol/features.ts'
import { fromHex, toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { Reader } from '../../../../src/engine/protocol/reader.ts'
import { packProducerAuthoritySchedule } from '../../../../src/engine/protocol/schedule.ts'
import { packOne } from '../../../../src/engine/protocol/writer.ts'
import type { HeaderState } from '../../../../src/engine/chain/headers/legacy/header_state.ts'
import { nextHeaderState } from '../../../../src/engine/chain/headers/legacy/header_state.ts'
import { verifySignee } from '../../../../src/engine/chain/headers/block_signing.ts'
import { trustedBlockState } from '../../../../src/engine/chain/blocks/block_validation.ts'
import { FeatureSet } from '../../../../src/engine/chain/rules/features.ts'
import { finishHeaderState } from '../../../../src/engine/chain/headers/legacy/finish_header.ts'
import { genesisBlockState } from '../../../../src/engine/chain/headers/genesis_block.ts'
import { headerRules } from '../../../../src/engine/chain/headers/header_rules.ts'
import {
  packHeaderState,
  unpackHeaderState,
} from '../../../../src/engine/chain/headers/legacy/pack_header_state.ts'
import { RECORDED_LOG, readRecordedChain, referenceLog } from '../support/recorded_chain.ts'

const rules = headerRules(new FeatureSet())

const isLegacy = (block: SignedBlock): boolean =>
  !block.header_extensions.some(([id]) => id === FINALITY_EXTENSION_ID)

/** Header states of a recorded chain's legacy blocks, from block 1. */
function legacyStates(path: string): { states: HeaderState[]; blocks: SignedBlock[] } {
  const { genesis, blocks } = readRecordedChain(path)
  let state = genesisBlockState(genesis)
  const states = [state.legacy!]
  for (const { block, packed } of blocks.slice(1)) {
    if (!isLegacy(block)) break
    state = trustedBlockState(state, block, packed, { rules })
    states.push(state.legacy!)
  }
  return { states, blocks: blocks.map((b) => b.block) }
}

function expectError(name: ErrorName, message: string, f: () => unknown): void {
  expect(f).to.throw(ChainError, message).with.property('errorName', name)
}

describe('rules of headers', () => {
  it('allow weighted signatures once their feature is active', () => {
    const features = new FeatureSet()
    const digests = (...names: BuiltinFeatureName[]): Uint8Array[] =>
      names.map((name) => fromHex(features.digestHex(name)))
    const { weightedSignatures } = headerRules(features)
    expect(weightedSignatures([])).equal(false)
    expect(weightedSignatures(digests('SAVANNA'))).equal(false)
    expect(weightedSignatures(digests('SAVANNA', 'WTMSIG_BLOCK_SIGNATURES'))).equal(true)
  })
})

describe('header states', () => {
  for (const name of ['recorded', 'prod_sched', 'snapshots', 'consensus_blockchain']) {
    it(`follows the headers of a chain of the reference: ${name}`, function () {
      const path = name === 'recorded' ? RECORDED_LOG : referenceLog(name)
      if (path === undefined) this.skip()
      const { states, blocks } = legacyStates(path)
      states.forEach((state, i) => {
        expect(toHex(state.id)).to.equal(toHex(blockId(blocks[i]!)))
        // The signature covers the Merkle root of all block ids and the pending schedule.
        if (i > 0) verifySignee(state)
        const packed = packOne(packHeaderState, state)
        expect(packOne(packHeaderState, unpackHeaderState(new Reader(packed)))).to.deep.equal(
          packed,
        )
      })
    })
  }

  it('promotes a schedule once the block that announced it is irreversible', () => {
    const { states } = legacyStates(RECORDED_LOG)
    const last = states.at(-1)!
    expect(last.block_num).to.equal(39)
    expect(last.pending_schedule.schedule_lib_num).to.equal(39)
    expect(last.active_schedule.version).to.equal(0)
    const next = nextHeaderState(last, last.header.timestamp + 1, 0)
    expect(next.dpos_irreversible_blocknum).to.equal(39)
    expect(next.was_pending_promoted).to.equal(true)
    expect(next.active_schedule).to.deep.equal(last.pending_schedule.schedule)
    // The block itself is still signed by the old schedule.
    expect(next.active_schedule_version).to.equal(0)
  })

  it('makes the block before irreversible while one producer is alone', () => {
    const { states } = legacyStates(RECORDED_LOG)
    for (const state of states.slice(2)) {
      expect(state.dpos_irreversible_blocknum).to.equal(state.block_num - 1)
      expect(state.dpos_proposed_irreversible_blocknum).to.equal(state.block_num)
    }
  })
})

describe('a header that does not follow', () => {
  const { states, blocks } = legacyStates(RECORDED_LOG)
  const prev = states[18]!
  const block = blocks[19]!
  const next = (change: Partial<SignedBlock>): HeaderState => {
    const changed = { ...block, ...change }
    const pending = nextHeaderState(prev, changed.timestamp, changed.confirmed)
    return finishHeaderState(pending, changed, [], rules)
  }

  it('is refused with its own error', () => {
    expect(toHex(next({}).id)).to.equal(toHex(blockId(block)))
    const past = prev.header.timestamp
    expectError('block_validate_exception', 'in the future', () => next({ timestamp: past }))
    expectError('unlinkable_block_exception', 'previous mismatch', () =>
      next({ previous: states[17]!.id }),
    )
    expectError('wrong_producer', 'wrong producer', () => next({ producer: N('alice') }))
    expectError('producer_schedule_exception', 'schedule_version', () =>
      next({ schedule_version: 7 }),
    )
    expectError('producer_double_confirm', 'double-confirming', () => next({ confirmed: 1 }))
  })

  it('is refused for its extensions', () => {
    const [feature] = block.header_extensions
    const bytes = feature![1]
    const schedule = packOne(packProducerAuthoritySchedule, { version: 1, producers: [] })
    const with_ =
      (...header_extensions: [number, Uint8Array][]) =>
      () =>
        next({ header_extensions })
    expectError('invalid_block_header_extension', 'not supported', with_([9, bytes]))
    expectError('invalid_block_header_extension', 'repeat', with_([0, bytes], [0, bytes]))
    expectError('invalid_block_header_extension', 'order', with_([1, schedule], [0, bytes]))
    expectError(
      'ill_formed_protocol_feature_activation',
      'at least one',
      with_([0, Uint8Array.of(0)]),
    )
    const unknown = Uint8Array.of(1, ...new Uint8Array(32).fill(7))
    expectError('protocol_feature_exception', 'unrecognized', with_([0, unknown]))
    const before = blocks[17]!.header_extensions[0]!
    expectError('protocol_feature_exception', 'already been activated', with_(before))
  })

  it('is refused for its schedule', () => {
    const key = states[0]!.active_schedule.producers[0]!.authority[1].keys[0]!.key
    const producers = [{ producer_name: N('eosio'), block_signing_key: key }]
    // The first block promotes the first schedule, so it cannot announce another.
    const first = blocks[1]!
    const pending = nextHeaderState(states[0]!, first.timestamp, first.confirmed)
    const announce = (version: number) => () =>
      finishHeaderState(pending, { ...first, new_producers: { version, producers } }, [], rules)
    expectError('producer_schedule_exception', 'promoted', announce(1))
    const second = blocks[2]!
    const pending2 = nextHeaderState(states[1]!, second.timestamp, second.confirmed)
    const announce2 = (version: number) => () =>
      finishHeaderState(pending2, { ...second, new_producers: { version, producers } }, [], rules)
    expectError('producer_schedule_exception', 'wrong producer schedule version', announce2(2))
    const announced = announce2(1)()
    expect(announced.pending_schedule.schedule.version).to.equal(1)
    expect(announced.pending_schedule.schedule_lib_num).to.equal(3)
  })

  it('is refused for its signature', () => {
    const state = next({})
    verifySignee(state)
    const other = blocks[20]!.producer_signature
    expectError('wrong_signing_key', 'unexpected key', () =>
      verifySignee({ ...state, header: { ...state.header, producer_signature: other } }),
    )
    expectError('wrong_signing_key', 'exceeds', () =>
      verifySignee({ ...state, additional_signatures: [other] }),
    )
    const [, authority] = state.valid_block_signing_authority
    const keys = [...authority.keys, { key: states[0]!.id.slice(0, 1), weight: 1 }]
    const weighted: HeaderState = {
      ...state,
      valid_block_signing_authority: [0, { threshold: 2, keys }],
    }
    expectError('wrong_signing_key', 'do not satisfy', () => verifySignee(weighted))
    expectError('wrong_signing_key', 'same key twice', () =>
      verifySignee({ ...weighted, additional_signatures: [state.header.producer_signature] }),
    )
  })
})
