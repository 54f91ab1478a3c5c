import { expect } from 'chai'
import type { Chain } from '../../../../src/engine/chain/chain.ts'
import type { BlockState } from '../../../../src/engine/chain/headers/block_state.ts'
import { publicKeyOf } from '../../../../src/engine/crypto/keys.ts'
import { toHex } from '../../../../src/engine/protocol/hex.ts'
import { N } from '../../../../src/engine/protocol/name.ts'
import { slotToUs } from '../../../../src/engine/protocol/time.ts'
import type { ProducerOptions } from '../../../../src/engine/services/production/producer_options.ts'
import { ProductionRights } from '../../../../src/engine/services/production/production_rights.ts'
import { DEFAULT_RUNTIME_OPTIONS } from '../../../../src/engine/services/production/runtime_options.ts'
import { DEVELOPMENT_SECRET } from '../../chain/support/test_chain.ts'

const PRODA = N('proda')
const KEY = publicKeyOf(DEVELOPMENT_SECRET)
const SIGNED_LATER = 'it signed a later block already'

describe('the right to produce', () => {
  /** Number, slot and last irreversible block of the head. */
  let head: { block_num: number; timestamp: number; irreversible_block_num: number }
  let rights: ProductionRights

  beforeEach(() => {
    head = { block_num: 100, timestamp: 1000, irreversible_block_num: 90 }
    const options = {
      producers: [PRODA],
      signing_keys: new Map([[toHex(KEY), DEVELOPMENT_SECRET]]),
      runtime: DEFAULT_RUNTIME_OPTIONS,
      max_reversible_blocks: 3600,
    } as unknown as ProducerOptions
    const chain = {
      get head() {
        return head
      },
      last_irreversible: { timestamp: 900 },
    } as unknown as Chain
    rights = new ProductionRights(options, chain)
  })

  const block = (block_num: number, timestamp: number, producer = PRODA, savanna = false) =>
    ({ block_num, timestamp, producer, is_proper_savanna: savanna }) as BlockState

  function refusal(slot: number): string | undefined {
    const authority = [0, { threshold: 1, keys: [{ key: KEY, weight: 1 }] }] as const
    return rights.refusal(slotToUs(slot), slot, {
      producer_name: PRODA,
      authority: [authority[0], { ...authority[1], keys: [...authority[1].keys] }],
    })
  }

  it('ends before Savanna at the height and the slot of the last block of the producer, whichever node made it', () => {
    expect(refusal(1001)).equal(undefined)
    rights.signed(block(101, 990))
    expect(refusal(1001)).equal(SIGNED_LATER)
    head.block_num = 101
    expect(refusal(1001)).equal(undefined)
    rights.signed(block(95, 1001))
    expect(refusal(1001)).equal(SIGNED_LATER)
    expect(refusal(1002)).equal(undefined)
  })

  it('does not come back with an earlier block, nor end with one of another producer', () => {
    rights.signed(block(101, 1001))
    rights.signed(block(80, 980))
    expect(refusal(1005)).equal(SIGNED_LATER)
    head.block_num = 101
    rights.signed(block(200, 2000, N('other')))
    expect([refusal(1001), refusal(1002)]).deep.equal([SIGNED_LATER, undefined])
  })

  it('does not end under Savanna, where a better branch may be shorter', () => {
    rights.signed(block(150, 1050, PRODA, true))
    expect(refusal(1001)).equal(undefined)
  })

  it('includes the confirmation of the blocks since the last one of the producer that are reversible', () => {
    expect(rights.blocksToConfirm(PRODA)).equal(0)
    rights.signed(block(96, 996))
    expect(rights.blocksToConfirm(PRODA)).equal(4)
    expect(rights.blocksToConfirm(N('other'))).equal(0)
    head.irreversible_block_num = 97
    expect(rights.blocksToConfirm(PRODA)).equal(3)
    rights.signed(block(100, 1000))
    expect(rights.blocksToConfirm(PRODA)).equal(0)
    rights.signed(block(120, 1020))
    expect(rights.blocksToConfirm(PRODA)).equal(0)
  })

  it('is as before when the chain went back', () => {
    rights.signed(block(150, 1050))
    rights.forget()
    expect(refusal(1001)).equal(undefined)
    expect(rights.blocksToConfirm(PRODA)).equal(0)
  })
})
