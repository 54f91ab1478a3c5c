/** Hostile load: blocks are produced, and a normal client is served, whatever others do meanwhile. */
import { expect } from 'chai'
import { ATTACKS } from './attacks.ts'
import { TOO_MANY } from './attacks/sockets.ts'
import { isRefusal } from './normal_client.ts'
import { SoakedNode } from './soaked_node.ts'

const SEED = 1
const ROWS = 2000
/** Blocks and answers to the normal client while each attack is under way. */
const BLOCKS = 2
const ANSWERS = 6

describe('soak: hostile load', () => {
  let soaked: SoakedNode
  before(async () => {
    soaked = await SoakedNode.start(ROWS)
  })

  /** Attacks until each has made a round, blocks came and the normal client was served. */
  async function attack(names: readonly string[]): Promise<Record<string, object>> {
    const { head_block_num } = await soaked.info()
    const { answered } = soaked.client
    const { tallies } = await soaked.attack(names, SEED, async (rounds) => {
      if (Object.values(rounds).includes(0)) return false
      if (soaked.client.answered < answered + ANSWERS) return false
      return (await soaked.info()).head_block_num >= head_block_num + BLOCKS
    })
    const failures = soaked.client.failures.splice(0)
    const flooded = names.includes(TOO_MANY)
    expect(failures.filter((failure) => !(flooded && isRefusal(failure)))).deep.equal([])
    return tallies
  }

  for (const { name } of ATTACKS) {
    it(name, async () => {
      const tallies = await attack([name])
      expect(Object.keys(tallies[name]!)).not.deep.equal([])
    })
  }

  it('all others together', async () => {
    // Without connections nobody is served, so that flood stands alone above.
    await attack(ATTACKS.map(({ name }) => name).filter((name) => name !== TOO_MANY))
  })

  it('leaves a healthy node that logged no faults and stops cleanly', async () => {
    expect(await soaked.health()).equal(200)
    expect(await soaked.stop()).deep.equal({ code: 0, signal: null })
    expect(soaked.node.stderr).not.match(/ error /)
  })
})
